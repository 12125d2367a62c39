"""The rules of NumPy's ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import elementwise
from .trace import UFUNCS
from .array import raw

def _same(g): return g
def _one(w, *args): return 1.0
elementwise(np.add, _one, _one, adjoints=(_same, _same))
elementwise(np.subtract, _one, lambda w,a,b: -1.0, adjoints=(_same, np.negative))
elementwise(np.negative, lambda w,z: -1.0, adjoints=(np.negative,))
elementwise(np.multiply, lambda w,a,b: b, lambda w,a,b: a, linear_in=(0,1))
elementwise(np.true_divide, lambda w,a,b: 1/b, lambda w,a,b: -w/b, linear_in=(0,))
elementwise(np.power, lambda w,a,b: b*a**(b-1), lambda w,a,b: w*np.log(a))
elementwise(np.sin, lambda w,z: np.cos(z))
elementwise(np.cos, lambda w,z: -np.sin(z))
elementwise(np.exp, lambda w,z: w)
elementwise(np.log, lambda w,z: 1/z)
elementwise(np.sqrt, lambda w,z: 0.5/w)
elementwise(np.conjugate, lambda w,z: 0.0, conjugate=lambda w,z: 1.0, real=_one, adjoints=(np.conjugate,))
elementwise(np.absolute, lambda w,z: np.conj(z)/(2*w), conjugate=lambda w,z: z/(2*w), real=lambda w,z: np.sign(z))
for u in (np.less, np.greater, np.equal, np.not_equal, np.sign): UFUNCS[u] = lambda *a, u=u: u(*map(raw,a))
elementwise(np.positive, _one, adjoints=(_same,))
