"""What every public callable of NumPy is to differentiation: one table, and nothing outside it.

`RULE`: it carries its derivative in every continuous argument.  `ZERO`: it is piecewise constant, so its derivative is
zero wherever it exists.  `NONE`: its result is not a continuous quantity.  `CREATION`: it makes arrays from sizes and
settings; under a trace what it makes can be written to.  `TOOL`: it does not compute with values.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

__all__ = ["CLASSIFICATION", "Group", "Kind", "classify"]


class Kind(Enum):
    """The five answers to "what is its derivative?"."""

    RULE = "has a rule"
    ZERO = "derivative zero almost everywhere"
    NONE = "not differentiable by nature"
    CREATION = "creation"
    TOOL = "does not compute with values"


class Group(NamedTuple):
    """Names that share one answer, with the reason for it."""

    kind: Kind
    reason: str
    names: tuple[str, ...]


def _group(kind: Kind, reason: str, names: str) -> Group:
    return Group(kind, reason, tuple(names.split()))


_NUMPY = (
    _group(
        Kind.RULE,
        "elementwise",
        """abs absolute acos acosh add angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2
        atanh cbrt clip conj conjugate copysign cos cosh deg2rad degrees divide divmod exp exp2 expm1 fabs float_power
        fmax fmin fmod frexp hypot i0 imag ldexp log log10 log1p log2 logaddexp logaddexp2 maximum minimum mod modf
        multiply nan_to_num negative positive pow power rad2deg radians real real_if_close reciprocal remainder sign
        sin sinc sinh sqrt square subtract tan tanh true_divide""",
    ),
    _group(
        Kind.RULE,
        "products: linear in each factor",
        "cross dot einsum inner kron matmul matvec outer tensordot trace vdot vecdot vecmat",
    ),
    _group(
        Kind.RULE,
        "linear rearrangement of elements",
        """append array_split astype atleast_1d atleast_2d atleast_3d block broadcast_arrays broadcast_to choose
        column_stack compress concat concatenate copy delete diag diagflat diagonal dsplit dstack expand_dims extract
        flip fliplr flipud hsplit hstack insert matrix_transpose meshgrid moveaxis pad permute_dims ravel repeat reshape
        resize roll rollaxis rot90 row_stack select split squeeze stack swapaxes take take_along_axis tile transpose
        tril trim_zeros triu unstack vsplit vstack where""",
    ),
    _group(
        Kind.RULE,
        "writes in place, linear in the array and the values",
        "copyto fill_diagonal place put put_along_axis putmask",
    ),
    _group(
        Kind.RULE,
        "reductions and cumulative sums and products",
        """amax amin average cumprod cumsum cumulative_prod cumulative_sum max mean min nancumprod nancumsum nanmax
        nanmean nanmin nanprod nanstd nansum nanvar prod ptp std sum var""",
    ),
    _group(
        Kind.RULE,
        "sorting and order statistics: the order is locally constant",
        """intersect1d median nanmedian nanpercentile nanquantile partition percentile quantile setdiff1d setxor1d sort
        sort_complex union1d unique unique_all unique_counts unique_inverse unique_values""",
    ),
    _group(
        Kind.RULE,
        "statistics, calculus, signals",
        """bincount convolve corrcoef correlate cov diff ediff1d geomspace gradient histogram histogram2d histogramdd
        interp linspace logspace trapezoid unwrap vander""",
    ),
    _group(
        Kind.RULE,
        "polynomials in their coefficients and points",
        "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    ),
    _group(Kind.RULE, "applies a traced function", "apply_along_axis apply_over_axes piecewise vectorize"),
    _group(
        Kind.ZERO,
        "it is constant between its jumps",
        "around ceil fix floor floor_divide heaviside rint round trunc",
    ),
    _group(Kind.ZERO, "it moves in steps of one unit in the last place", "spacing"),
    _group(Kind.NONE, "the next number in one precision is not a function of real numbers", "nextafter"),
    _group(
        Kind.NONE,
        "its result is a truth value",
        """all allclose any array_equal array_equiv equal greater greater_equal is_busday isclose iscomplex isfinite
        isin isinf isnan isnat isneginf isposinf isreal less less_equal logical_and logical_not logical_or logical_xor
        not_equal signbit""",
    ),
    _group(
        Kind.NONE,
        "its result is an integer",
        """argmax argmin argpartition argsort argwhere busday_count count_nonzero digitize flatnonzero lexsort
        nanargmax nanargmin nonzero ravel_multi_index searchsorted unravel_index""",
    ),
    _group(
        Kind.NONE,
        "it takes integers or bits only",
        """bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
        bitwise_xor gcd invert lcm left_shift packbits right_shift unpackbits""",
    ),
    _group(Kind.NONE, "it takes dates only", "busday_offset datetime_as_string datetime_data busdaycalendar"),
    _group(
        Kind.NONE, "its result is a choice of histogram bins, not a smooth function of the data", "histogram_bin_edges"
    ),
    _group(
        Kind.CREATION,
        "from sizes, settings, files or other objects",
        """arange array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray bartlett blackman bmat
        diag_indices diag_indices_from empty empty_like eye from_dlpack frombuffer fromfile fromfunction fromiter
        fromregex fromstring full full_like genfromtxt hamming hanning identity indices ix_ kaiser load loadtxt
        mask_indices memmap ndarray ones ones_like recarray require tri tril_indices tril_indices_from triu_indices
        triu_indices_from zeros zeros_like asmatrix matrix""",
    ),
    _group(
        Kind.TOOL,
        "shapes, dtypes and memory",
        """broadcast broadcast_shapes can_cast common_type dtype finfo iinfo iscomplexobj isdtype isfortran isrealobj
        isscalar issubdtype iterable may_share_memory min_scalar_type mintypecode ndim promote_types result_type shape
        shares_memory size typename""",
    ),
    _group(Kind.TOOL, "iteration", "flatiter ndenumerate ndindex nditer nested_iters"),
    _group(Kind.TOOL, "makes functions", "frompyfunc poly1d ufunc"),
    _group(
        Kind.TOOL,
        "printing and files",
        """array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific
        get_printoptions info printoptions save savetxt savez savez_compressed set_printoptions""",
    ),
    _group(
        Kind.TOOL,
        "settings",
        """einsum_path errstate get_include getbufsize geterr geterrcall setbufsize seterr seterrcall show_config
        show_runtime test""",
    ),
    _group(
        Kind.TOOL,
        "scalar types",
        """bool bool_ byte bytes_ cdouble character clongdouble complex128 complex256 complex64 complexfloating csingle
        datetime64 double flexible float128 float16 float32 float64 floating generic half inexact int16 int32 int64 int8
        int_ intc integer intp long longdouble longlong number object_ record short signedinteger single str_
        timedelta64 ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger ushort void""",
    ),
)

_FFT = (
    _group(
        Kind.RULE,
        "linear",
        """fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftn""",
    ),
    _group(Kind.CREATION, "from a size", "fftfreq rfftfreq"),
    _group(Kind.TOOL, "settings", "test"),
)

_LINALG = (
    _group(
        Kind.RULE,
        "linear algebra",
        """cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
        matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve trace
        vecdot vector_norm""",
    ),
    _group(Kind.NONE, "its result is an integer", "matrix_rank"),
    _group(Kind.TOOL, "settings", "LinAlgError test"),
)

_METHODS = (
    _group(
        Kind.RULE,
        "as the function of its name",
        """astype clip compress conj conjugate copy cumprod cumsum diagonal dot fill flatten max mean min
        partition prod put ravel repeat reshape resize sort squeeze std sum swapaxes take trace transpose var""",
    ),
    _group(Kind.ZERO, "it is constant between its jumps", "round"),
    _group(Kind.NONE, "it takes integers only; numpy.choose differentiates in the choices", "choose"),
    _group(
        Kind.NONE,
        "its result is a truth value or an integer",
        "all any argmax argmin argpartition argsort nonzero searchsorted",
    ),
    _group(
        Kind.TOOL,
        "bytes, files and memory",
        "byteswap dump dumps getfield item setfield setflags to_device tobytes tofile tolist view",
    ),
)

CLASSIFICATION: dict[str, tuple[Group, ...]] = {
    "numpy": _NUMPY,
    "numpy.fft": _FFT,
    "numpy.linalg": _LINALG,
    "numpy.ndarray": _METHODS,
}


def classify(name: str) -> Group:
    """The group of a public callable, by its full name: "numpy.sum", "numpy.fft.fft", "numpy.ndarray.sum".

    Examples
    --------
    >>> from wirtinger.complex_autograd.namespace.classification import classify
    >>> classify("numpy.floor").reason
    'it is constant between its jumps'
    """
    owner, _, own = name.rpartition(".")
    for group in CLASSIFICATION[owner]:
        if own in group.names:
            return group
    raise KeyError(
        f"{name} is not classified (NumPy {np.__version__}): add it to complex_autograd/namespace/classification.py"
    )


def classification_markdown() -> str:
    """The table as a page of the documentation (`docs/numpy.md`)."""
    lines = [
        "# Every public callable of NumPy, and its derivative",
        "",
        f"Written by `python -m {__package__}.classification` with NumPy {np.__version__}; a test",
        "compares it with what NumPy has, and every function with a rule with its samples.",
        "",
    ]
    for owner, groups in CLASSIFICATION.items():
        lines += [f"## {owner}", "", "| derivative | because | names |", "|---|---|---|"]
        for kind, reason, names in groups:
            listed = ", ".join(f"`{name}`" for name in sorted(names))
            lines.append(f"| {kind.value} | {reason} | {listed} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(classification_markdown(), end="")
