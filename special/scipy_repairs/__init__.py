"""What SciPy's ufuncs are not to be called with: `hazards` says where, and `safe_ufunc` keeps away from there."""

__all__: list[str] = []
