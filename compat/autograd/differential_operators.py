"""All derivative operators, under the name of autograd's module, which also re-exports other names."""

from .core import make_jvp as _make_jvp  # noqa: F401  (packages ask for these two here)
from .core import make_vjp as _make_vjp  # noqa: F401
from .derivatives import *
from .derivatives import __all__ as _derivatives
from .extend import defvjp_argnum, primitive, vspace
from .products import *
from .products import __all__ as _products
from .wrap_util import unary_to_nary

__all__ = [*_derivatives, *_products, "defvjp_argnum", "primitive", "unary_to_nary", "vspace"]
