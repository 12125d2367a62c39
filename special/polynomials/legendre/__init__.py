"""Legendre functions of integer degree and order, and spherical harmonics."""
