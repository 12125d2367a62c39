"""A bridge to `scipy.optimize`: complex parameters and trees of arrays, with exact derivatives.

SciPy's solvers take one real vector.  A tree of real and complex arrays is packed into one (a complex number as its
real and imaginary parts), so that with the gradient `dL/dx + i dL/dy` packing commutes with differentiation; the
result is unpacked again.  The solvers run on the host: for parameters on a device this vector is copied there and
back in each evaluation, and everything else stays on the device.

Inside a differentiated function, a solution has the derivative that follows from its equations (`implicit`), with
respect to everything they read: values that a loss closes over, and `args`.  The starting point does not affect it.
"""

from .curve_fitting import curve_fit
from .minima import least_squares, minimize, minimize_scalar
from .roots import fixed_point, root, root_scalar

__all__ = ["curve_fit", "fixed_point", "least_squares", "minimize", "minimize_scalar", "root", "root_scalar"]
