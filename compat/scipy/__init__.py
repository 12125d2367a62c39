"""SciPy's modules, with derivatives."""
