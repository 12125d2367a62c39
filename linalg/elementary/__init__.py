"""Products, norms, determinants, parts, and matrices with a name."""
