"""Products, norms, determinants, parts, and matrices with a name."""

__all__: list[str] = []
