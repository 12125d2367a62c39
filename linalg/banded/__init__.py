"""Banded matrices in LAPACK's storage."""
