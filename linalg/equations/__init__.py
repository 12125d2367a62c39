"""Linear and quadratic equations for a matrix."""
