"""Solutions and their derivatives: SciPy's solvers with exact derivatives, and implicit functions."""

__all__: list[str] = []
