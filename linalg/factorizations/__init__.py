"""Factorizations whose factors are found without eigenvalues, and those of Schur."""

__all__: list[str] = []
