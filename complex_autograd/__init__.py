"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

from . import array as array
from . import namespace as namespace
from . import rules as rules
from .engine.errors import (
    AliasError,
    DifferentiationError,
    GaugeError,
    LinearityError,
    NotDifferentiableError,
    TraceError,
)
from .transforms.checkpoint import checkpoint
from .transforms.custom import custom_primitive
from .transforms.derivatives import (
    CauchyRiemannError,
    Wirtinger,
    hessian,
    holomorphic_grad,
    jacobian,
    wirtinger_derivatives,
)
from .transforms.grad import grad, hvp, jvp, stop_gradient, value_and_grad, vjp
from .transforms.gradcheck import GradcheckError, GradcheckReport, gradcheck
from .transforms.linearize import linearize

__all__ = [
    "AliasError",
    "CauchyRiemannError",
    "DifferentiationError",
    "GaugeError",
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
