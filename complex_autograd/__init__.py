"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

from . import (
    arranging,
    calculus,
    creation,
    cumulative,
    diagonals,
    einsum,
    fourier,
    indexing,
    inplace,
    joining,
    padding,
    polynomials,
    products,
    reductions,
    scimath,
    selection,
    sorting,
    statistics,
    structure,
    ufuncs,
    vectorization,
    writing,
)
from .custom import checkpoint, custom_primitive
from .derivatives import CauchyRiemannError, Wirtinger, hessian, holomorphic_grad, jacobian, wirtinger_derivatives
from .errors import AliasError, DifferentiationError, LinearityError, NotDifferentiableError, TraceError
from .gradcheck import GradcheckError, GradcheckReport, gradcheck
from .linearize import linearize
from .transforms import grad, hvp, jvp, stop_gradient, value_and_grad, vjp

__all__ = [
    "AliasError",
    "CauchyRiemannError",
    "DifferentiationError",
    "GradcheckError",
    "GradcheckReport",
    "LinearityError",
    "NotDifferentiableError",
    "TraceError",
    "Wirtinger",
    "checkpoint",
    "custom_primitive",
    "grad",
    "gradcheck",
    "hessian",
    "holomorphic_grad",
    "hvp",
    "jacobian",
    "jvp",
    "linearize",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "wirtinger_derivatives",
]
