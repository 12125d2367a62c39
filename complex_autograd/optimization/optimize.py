"""A bridge to `scipy.optimize`: complex parameters and trees of arrays, with exact derivatives.

SciPy's solvers know one real vector.  Here a tree of real and complex arrays is packed into one (a complex number as
its real and imaginary part), so that with the gradient `dL/dx + i dL/dy` packing commutes with differentiation, and
unpacked again in the result.  The solvers run on the host: of parameters on a device that vector is copied there and
back at each evaluation, and everything else stays where it is.

Inside of a differentiated function, a solution has the derivative that its equations give it (`implicit`), in all that
they read: in what a loss closes over, and in `args`.  Where a solver started has no part in it.
"""

from .curve_fitting import curve_fit
from .minima import least_squares, minimize, minimize_scalar
from .roots import fixed_point, root, root_scalar

__all__ = ["curve_fit", "fixed_point", "least_squares", "minimize", "minimize_scalar", "root", "root_scalar"]
