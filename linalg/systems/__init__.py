"""Linear systems, inverses, least squares and pseudo-inverses."""
