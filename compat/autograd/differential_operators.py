"""All derivatives of functions, by the name of autograd's module."""

from .derivatives import *
from .derivatives import __all__ as _derivatives
from .products import *
from .products import __all__ as _products

__all__ = [*_derivatives, *_products]
