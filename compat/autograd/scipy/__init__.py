"""SciPy's functions under differentiation, as far as autograd has them, and more."""

from . import integrate, linalg, signal, special, stats

__all__ = ["integrate", "linalg", "signal", "special", "stats"]
