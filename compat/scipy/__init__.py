"""SciPy's modules, with derivatives."""

__all__: list[str] = []
