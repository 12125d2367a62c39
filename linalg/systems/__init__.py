"""Linear systems, inverses, least squares and pseudo-inverses."""

__all__: list[str] = []
