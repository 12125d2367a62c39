"""How user-defined functions and types are made differentiable."""

from .core import (
    SparseObject,
    VSpace,
    def_linear,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    vspace,
)
from .tracer import Box, notrace_primitive, primitive

__all__ = [
    "Box", "SparseObject", "VSpace", "def_linear", "defjvp", "defjvp_argnum", "defjvp_argnums", "defvjp",
    "defvjp_argnum", "defvjp_argnums", "notrace_primitive", "primitive", "vspace",
]  # fmt: skip
