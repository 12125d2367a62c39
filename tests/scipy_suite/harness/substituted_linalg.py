"""`scipy.linalg`, with our functions for those whose meaning is SciPy's; NumPy's names mean what NumPy says."""

import numpy.linalg
import scipy.linalg
from substitute_capabilities import with_capabilities

import wirtinger.linalg

SHARED = {name for name in wirtinger.linalg.__all__ if name in scipy.linalg.__all__ and not hasattr(numpy.linalg, name)}
globals().update({name: with_capabilities(wirtinger.linalg, scipy.linalg, name) for name in SHARED})


def __getattr__(name):
    for module in (scipy.linalg, scipy.linalg._decomp_update, scipy.linalg._misc):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)
