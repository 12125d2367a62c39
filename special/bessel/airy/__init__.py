"""Airy functions: their rules, their integrands, and their values where SciPy's have lost digits."""

__all__: list[str] = []
