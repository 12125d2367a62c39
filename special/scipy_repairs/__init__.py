"""What SciPy's ufuncs are not to be called with; each entry goes once SciPy is mended."""

__all__: list[str] = []
