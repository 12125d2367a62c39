"""autograd's interface: packages built on autograd run with this package's derivatives.

It has autograd's names, signatures and convention for complex gradients, `dL/dx - i dL/dy`, the conjugate of this
package's.  After `install()`, `import autograd` imports this module.
"""

from . import core, differential_operators, extend, numpy, tracer, util, wrap_util
from .builtins import dict, isinstance, list, tuple, type
from .derivatives import (
    checkpoint,
    deriv,
    elementwise_grad,
    grad,
    grad_and_aux,
    grad_named,
    hessian,
    holomorphic_grad,
    jacobian,
    make_jvp,
    make_vjp,
    multigrad_dict,
    value_and_grad,
)
from .installation import install, uninstall
from .primitives import primitive
from .products import (
    hessian_tensor_product,
    hessian_vector_product,
    make_ggnvp,
    make_hvp,
    make_jvp_reversemode,
    tensor_jacobian_product,
    vector_jacobian_product,
)

__all__ = [
    "checkpoint", "core", "deriv", "dict", "differential_operators", "elementwise_grad", "extend", "grad",
    "grad_and_aux", "grad_named", "hessian", "hessian_tensor_product", "hessian_vector_product", "holomorphic_grad",
    "install", "isinstance", "jacobian", "list", "make_ggnvp", "make_hvp", "make_jvp", "make_jvp_reversemode",
    "make_vjp", "multigrad_dict", "numpy", "primitive", "tensor_jacobian_product", "tracer", "tuple", "type",
    "uninstall", "util", "value_and_grad", "vector_jacobian_product", "wrap_util",
]  # fmt: skip
