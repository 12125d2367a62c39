"""Elementary functions, error functions, exponential integrals, sums of exponentials, and losses."""

__all__: list[str] = []
