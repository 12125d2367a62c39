"""What the ufuncs of SciPy share here: rules, better values, inverses, large arrays, guards, keywords."""

__all__: list[str] = []
