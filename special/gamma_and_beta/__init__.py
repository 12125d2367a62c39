"""The gamma, beta and zeta functions and their kin, incomplete ones in their shapes, and combinatorics."""

__all__: list[str] = []
