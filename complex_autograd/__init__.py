"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

from . import arranging as arranging
from . import array_likes as array_likes
from . import calculus as calculus
from . import creation as creation
from . import cumulative as cumulative
from . import diagonals as diagonals
from . import einsum as einsum
from . import fourier as fourier
from . import indexing as indexing
from . import inplace as inplace
from . import intervals as intervals
from . import joining as joining
from . import padding as padding
from . import polynomials as polynomials
from . import products as products
from . import reductions as reductions
from . import scimath as scimath
from . import selection as selection
from . import sorting as sorting
from . import statistics as statistics
from . import structure as structure
from . import ufuncs as ufuncs
from . import vectorization as vectorization
from . import writing as writing
from .checkpoint import checkpoint
from .custom import custom_primitive
from .derivatives import CauchyRiemannError, Wirtinger, hessian, holomorphic_grad, jacobian, wirtinger_derivatives
from .errors import AliasError, DifferentiationError, GaugeError, LinearityError, NotDifferentiableError, TraceError
from .gradcheck import GradcheckError, GradcheckReport, gradcheck
from .linearize import linearize
from .transforms import grad, hvp, jvp, stop_gradient, value_and_grad, vjp

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
