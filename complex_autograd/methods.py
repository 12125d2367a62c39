"""ndarray's methods and attributes on a traced array: each is NumPy's function of its name."""
from typing import Any
import numpy as np
class Methods:
    __slots__=()
    def sum(self, axis=None, dtype=None, out=None, keepdims=False): return np.sum(self, axis, dtype, out, keepdims)
    def reshape(self, *shape, order="C"): return np.reshape(self, shape[0] if len(shape)==1 else shape, order)
    @property
    def T(self): return np.transpose(self)
    def astype(self, dtype): 
        from .structure import astype
        return astype(self, dtype=np.dtype(dtype))
    def copy(self, order="C"): return np.positive(self)
    def conj(self): return np.conjugate(self)
