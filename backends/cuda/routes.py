"""How each public NumPy callable runs on CUDA, as data: reading it does not require CuPy.

Functions of values listed neither here nor among the refusals are CuPy's functions of the same name.  A CUDA test
compares this with the dispatch tables, and with what actually runs.
"""

from __future__ import annotations

from typing import NamedTuple

from .refusals import REFUSED


class Route(NamedTuple):
    """What computes an operation on CUDA."""

    runs: bool | None
    """None where no array on a device is concerned."""
    text: str
    """What computes it, or why nothing does and which explicit way there is."""


def _names(owner: str, text: str) -> set[str]:
    return {f"{owner}.{name}" for name in text.split()}


OURS = (
    _names(
        "numpy",
        """
        all amax amin any argpartition argsort array2string array_repr array_str astype average bincount
        block broadcast_arrays broadcast_to choose clip column_stack compress concat concatenate copy
        copyto count_nonzero cumprod cumsum delete diag_indices_from divide divmod dstack ediff1d einsum_path empty_like
        exp2 extract
        float_power floor_divide fmax fmin full_like geomspace greater greater_equal histogram
        histogram2d histogram_bin_edges histogramdd hstack insert interp intersect1d less less_equal
        lexsort log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
        matmul matvec max maximum mean median min minimum mod nancumprod nancumsum nanmax nanmean nanmedian nanmin
        nanpercentile nanprod nanquantile nanstd nansum nanvar ones_like packbits pad partition
        percentile piecewise place poly polyadd polyder polydiv polyint polymul polysub polyval pow
        power prod ptp put putmask quantile ravel_multi_index reciprocal remainder repeat reshape roots
        save savetxt savez savez_compressed setxor1d sign sort spacing stack std sum take trim_zeros
        true_divide union1d unique unpackbits unstack var vecdot vecmat vstack where zeros_like
        """,
    )
    | _names("numpy.fft", "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn")
    | _names(
        "numpy.linalg",
        """
        cholesky cond det diagonal eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_rank multi_dot
        norm outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm
        """,
    )
)
"""What the folders `namespace` and `linalg` beside this file implement."""

DISPATCHED = _names(
    "numpy",
    """
        common_type iscomplexobj isrealobj ix_ may_share_memory min_scalar_type ndim result_type shape
        shares_memory size tril_indices_from triu_indices_from
        """,
)
"""What computes with no values of arrays, and is CuPy's on an array of a GPU all the same."""

MAKERS = _names(
    "numpy",
    """
        arange array asanyarray asarray ascontiguousarray asfortranarray empty eye from_dlpack full identity ones zeros
        """,
)
"""Those of wirtinger make arrays where `device=` says, and keep those on a GPU there."""


OF_TYPES = _names("numpy", "datetime_data")
"""What computes with types of numbers, and takes no array."""


def route(name: str, computes: bool = True) -> Route:
    """How a callable of NumPy runs on CUDA.

    Parameters
    ----------
    name : str
        With its owner: `"numpy.fft.fft"`.
    computes : bool
        Whether it computes with values of arrays.
    """
    if name in MAKERS:
        return Route(True, "with `device=`")
    if name in REFUSED:
        reason, way = REFUSED[name]
        return Route(False, f"no: {reason}. {way}")
    owner, _, own = name.rpartition(".")
    if name in OURS or name == "numpy.vectorize" or (owner == "numpy.ndarray" and f"numpy.{own}" in OURS):
        return Route(True, "ours")
    if (computes and name not in OF_TYPES) or owner == "numpy.ndarray" or name in DISPATCHED:
        return Route(True, "CuPy")
    return Route(None, "on the host: it takes no array of a GPU")
