"""Elementwise functions, each declared by its Wirtinger pair."""

from . import absolute as absolute
from . import arithmetic as arithmetic
from . import bounds as bounds
from . import exponentials as exponentials
from . import lengths as lengths
from . import piecewise_constant as piecewise_constant
from . import powers as powers
from . import remainders as remainders
from . import trigonometric as trigonometric
from . import windows as windows

__all__: list[str] = []
