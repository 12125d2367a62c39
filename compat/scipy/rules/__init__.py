"""Replacements for SciPy functions in the copies of its modules, each differentiated as one operation."""

from .replacements import REPLACEMENTS

__all__ = ["REPLACEMENTS"]
