"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

from . import (
    calculus,
    creation,
    cumulative,
    einsum,
    fourier,
    indexing,
    inplace,
    joining,
    polynomials,
    products,
    reductions,
    selection,
    sorting,
    statistics,
    structure,
    ufuncs,
)
from .errors import AliasError, DifferentiationError, LinearityError, NotDifferentiableError, TraceError
from .gradcheck import GradcheckError, GradcheckReport, gradcheck
from .transforms import grad, hvp, jvp, stop_gradient, value_and_grad, vjp
