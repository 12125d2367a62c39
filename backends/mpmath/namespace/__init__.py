"""NumPy's functions of mpmath's numbers, in the tables by which arrays find them."""

from __future__ import annotations

from . import elementwise as _elementwise  # noqa: F401
from . import factorizations as _factorizations  # noqa: F401
from . import functions as _functions  # noqa: F401
from . import lu as _lu  # noqa: F401
from . import matrices as _matrices  # noqa: F401
from . import matrix_functions as _matrix_functions  # noqa: F401
from . import pairs as _pairs  # noqa: F401
from . import reductions as _reductions  # noqa: F401
from . import sampled as _sampled  # noqa: F401
from . import schur as _schur  # noqa: F401
from . import special_functions as _special_functions  # noqa: F401
from . import spectra as _spectra  # noqa: F401
from . import statistics as _statistics  # noqa: F401

__all__: list[str] = []
