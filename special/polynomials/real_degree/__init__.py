"""Orthogonal polynomials continued to real degrees."""
