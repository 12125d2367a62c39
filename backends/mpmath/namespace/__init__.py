"""NumPy's functions of mpmath's numbers, in the tables by which arrays find them."""

from . import elementwise as elementwise
from . import factorizations as factorizations
from . import functions as functions
from . import lu as lu
from . import matrices as matrices
from . import matrix_functions as matrix_functions
from . import pairs as pairs
from . import reductions as reductions
from . import sampled as sampled
from . import schur as schur
from . import special_functions as special_functions
from . import spectra as spectra
from . import statistics as statistics
