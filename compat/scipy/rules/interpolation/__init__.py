"""`scipy.interpolate`: what its compiled functions compute, in all that is continuous."""

from . import bivariate_splines as bivariate_splines
from . import grids as grids
from . import piecewise_polynomials as piecewise_polynomials
from . import polynomials as polynomials
from . import radial_basis_functions as radial_basis_functions
from . import spline_fits as spline_fits
from . import splines as splines
from . import triangulations as triangulations
from . import univariate_splines as univariate_splines

__all__: list[str] = []
