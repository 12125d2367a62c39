"""`scipy.special`, with our functions; what is private is SciPy's."""

import scipy.special
import scipy.special._basic
import scipy.special._orthogonal
import scipy.special._ufuncs
from substitute_capabilities import with_capabilities

import wirtinger.special

PUBLIC = {name for name in wirtinger.special.__all__ if name in scipy.special.__all__}
globals().update({name: with_capabilities(wirtinger.special, scipy.special, name) for name in PUBLIC})


def __getattr__(name):
    for module in (scipy.special, scipy.special._ufuncs, scipy.special._basic, scipy.special._orthogonal):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)
