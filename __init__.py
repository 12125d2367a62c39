"""NumPy's namespace with derivatives."""

from numpy import *  # noqa: F403

from .complex_autograd import *
from .complex_autograd import grad, gradcheck, hvp, jvp, stop_gradient, value_and_grad, vjp,jacobian,hessian,linearize,wirtinger_derivatives,holomorphic_grad
