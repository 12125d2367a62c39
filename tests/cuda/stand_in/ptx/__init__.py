"""NVIDIA's intermediate language PTX, translated to C."""

from .parser import UntranslatedError
from .translation import translate

__all__ = ["UntranslatedError", "translate"]
