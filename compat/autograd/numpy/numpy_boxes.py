"""The type of arrays under differentiation, by autograd's name."""

from ..tracer import Box

__all__ = ["ArrayBox", "Box"]

ArrayBox = Box
