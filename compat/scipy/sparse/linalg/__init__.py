"""`scipy.sparse.linalg` with derivatives."""
