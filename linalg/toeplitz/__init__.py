"""Matrices that are constant along their diagonals."""
