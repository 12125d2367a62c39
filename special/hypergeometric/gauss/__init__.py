"""Gauss' function 2F1."""
