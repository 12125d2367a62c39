"""One table of NumPy's functions: their kind of derivative, their determinism family, and their replacement here.

`RULE`: has a derivative in every continuous argument.  `ZERO`: piecewise constant, with derivative zero wherever it
exists.  `NONE`: its result is not a continuous quantity.  `CREATION`: makes arrays from sizes and settings; under a
trace they can be written into.  `TOOL`: does not compute with values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ...determinism.families import join
from ..array import creation
from ..array.stand_in import StandIn
from .concatenators import c_, mgrid, ogrid, r_
from .routed import RoutedUfunc, frequencies, routed, turning
from .vectorization import ndenumerate, vectorize
from .windows import kaiser


class Kind(Enum):
    """The five answers to "what is its derivative?"."""

    RULE = "has a rule"
    ZERO = "derivative zero almost everywhere"
    NONE = "not differentiable by nature"
    CREATION = "creation"
    TOOL = "does not compute with values"


class Stand(Enum):
    """What stands in the namespace for a function of NumPy."""

    THEIRS = "its own object, or one of a module of ours"
    LISTS = "a stand-in, which takes lists of traced values"
    ROUTED = "a stand-in, which takes those and which the determinism flag can send elsewhere"
    UFUNC = "a stand-in for a ufunc and its methods, which the determinism flag can send elsewhere"


class Row(NamedTuple):
    """Names of one family in the policy table of determinism, None for what does not compute, treated alike."""

    family: str | None
    stand: Stand
    names: tuple[str, ...]


class Group(NamedTuple):
    """Names that share one answer, with the reason for it."""

    kind: Kind
    reason: str
    rows: tuple[Row, ...]

    @property
    def names(self) -> list[str]:
        """The names of all rows."""
        return [name for row in self.rows for name in row.names]


def _group(kind: Kind, reason: str, *rows: tuple[str | None, Stand, str] | str) -> Group:
    """A group; a row that is a text has no family and is NumPy's own."""
    complete = [(None, Stand.THEIRS, row) if isinstance(row, str) else row for row in rows]
    return Group(kind, reason, tuple(Row(family, stand, tuple(names.split())) for family, stand, names in complete))


RULE, ZERO, NONE, CREATION, TOOL = Kind
THEIRS, LISTS, ROUTED, UFUNC = Stand

_NUMPY = (
    _group(RULE, "elementwise",
        ("arithmetic rounded once", UFUNC, """
            abs absolute copysign deg2rad degrees divide divmod fabs fmod frexp ldexp mod modf multiply rad2deg radians
            reciprocal remainder sign sqrt square true_divide"""),
        ("rounded functions", UFUNC, """
            acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cbrt cos cosh
            exp exp2 expm1 float_power hypot log log10 log1p log2 logaddexp logaddexp2 sin sinh tan tanh"""),
        ("componentwise arithmetic", UFUNC, "add conj conjugate negative positive subtract"),
        ("rounded functions", ROUTED, "angle i0 sinc"),
        ("selection of the larger", ROUTED, "clip"),
        ("selection past NaN", UFUNC, "fmax fmin"),
        ("data movement", ROUTED, "imag real"),
        ("selection of the larger", UFUNC, "maximum minimum"),
        ("compositions", ROUTED, "nan_to_num real_if_close"),
        ("powers", UFUNC, "pow power")),
    _group(RULE, "products: linear in each factor",
        ("arithmetic rounded once", ROUTED, "cross kron outer"),
        ("matrix products", ROUTED, "dot einsum inner matmul matvec tensordot vdot vecdot vecmat"),
        ("sums", ROUTED, "trace")),
    _group(RULE, "linear rearrangement of elements",
        ("data movement", ROUTED, """
            append array_split atleast_1d atleast_2d atleast_3d block broadcast_arrays broadcast_to choose column_stack
            compress concat concatenate copy delete diag diagflat diagonal dsplit dstack expand_dims extract flip
            fliplr flipud hsplit hstack insert matrix_transpose meshgrid moveaxis permute_dims ravel repeat reshape
            resize roll rollaxis rot90 select split squeeze stack swapaxes take take_along_axis tile transpose tril
            trim_zeros triu unstack vsplit vstack where"""),
        ("componentwise arithmetic", ROUTED, "astype"),
        ("compositions", ROUTED, "pad"),
        ("data movement", THEIRS, "row_stack")),
    _group(RULE, "writes in place, linear in the array and the values",
        ("data movement", THEIRS, "copyto fill_diagonal place put putmask"),
        ("assignment by index", ROUTED, "put_along_axis")),
    _group(RULE, "reductions and cumulative sums and products",
        ("extrema", ROUTED, "amax amin max min nanmax nanmin ptp"),
        ("means", ROUTED, "average mean nanmean nanstd nanvar std var"),
        ("running products", ROUTED, "cumprod cumulative_prod nancumprod"),
        ("running sums", ROUTED, "cumsum cumulative_sum nancumsum"),
        ("products", ROUTED, "nanprod prod"),
        ("sums", ROUTED, "nansum sum")),
    _group(RULE, "sorting and order statistics: the order is locally constant",
        ("compositions", ROUTED, """
            intersect1d setdiff1d setxor1d sort_complex union1d unique_all unique_counts unique_inverse
            unique_values"""),
        ("compositions", ROUTED, "median nanmedian nanpercentile nanquantile percentile quantile"),
        ("partition", ROUTED, "partition"),
        ("sorting", ROUTED, "sort"),
        ("unique values", ROUTED, "unique")),
    _group(RULE, "statistics, calculus, signals",
        ("weighted counts", ROUTED, "bincount"),
        ("compositions", ROUTED, "convolve corrcoef correlate cov gradient interp trapezoid unwrap"),
        ("componentwise arithmetic", ROUTED, "diff ediff1d"),
        ("compositions", ROUTED, "geomspace linspace logspace vander"),
        ("weighted counts", ROUTED, "histogram histogram2d histogramdd")),
    _group(RULE, "polynomials in their coefficients and points",
        ("compositions", ROUTED, "poly polyadd polyder polydiv polyint polymul polysub"),
        ("least squares", ROUTED, "polyfit"),
        ("compositions", ROUTED, "polyval roots")),
    _group(RULE, "applies a traced function",
        ("compositions", ROUTED, "apply_along_axis apply_over_axes piecewise"),
        ("compositions", THEIRS, "vectorize")),
    _group(ZERO, "it is constant between its jumps",
        ("compositions", ROUTED, "around round"),
        ("arithmetic rounded once", UFUNC, "ceil floor floor_divide heaviside rint trunc"),
        ("arithmetic rounded once", ROUTED, "fix")),
    _group(ZERO, "it moves in steps of one unit in the last place", ("arithmetic rounded once", UFUNC, "spacing")),
    _group(NONE, "the next number in one precision is not a function of real numbers",
        ("arithmetic rounded once", UFUNC, "nextafter")),
    _group(NONE, "its result is a truth value",
        ("searching and counting", ROUTED, "all any isin"),
        ("compositions", ROUTED, "allclose"),
        ("comparisons and logic", ROUTED, "array_equal array_equiv iscomplex isneginf isposinf isreal"),
        ("comparisons and logic", UFUNC, """
            equal greater greater_equal isfinite isinf isnan isnat less less_equal logical_and logical_not logical_or
            logical_xor not_equal signbit"""),
        "is_busday",
        ("compositions", ROUTED, "isclose")),
    _group(NONE, "its result is an integer",
        ("searching and counting", ROUTED, """
            argmax argmin argwhere count_nonzero digitize flatnonzero lexsort nanargmax nanargmin nonzero
            searchsorted"""),
        ("partition, by index", ROUTED, "argpartition"),
        ("sorting, by index", ROUTED, "argsort"),
        "busday_count",
        ("data movement", THEIRS, "ravel_multi_index unravel_index")),
    _group(NONE, "it takes integers or bits only",
        ("comparisons and logic", UFUNC, """
            bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
            bitwise_xor gcd invert lcm left_shift right_shift"""),
        ("data movement", THEIRS, "packbits unpackbits")),
    _group(NONE, "it takes dates only",
        "busday_offset busdaycalendar datetime_as_string datetime_data"),
    _group(NONE, "its result is a choice of histogram bins, not a smooth function of the data",
        ("compositions", ROUTED, "histogram_bin_edges")),
    _group(CREATION, "from sizes, settings, files or other objects",
        ("compositions", THEIRS, "arange kaiser"),
        ("compositions", ROUTED, "bartlett blackman bmat fromfunction hamming hanning"),
        ("data movement", THEIRS, """
            array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray diag_indices diag_indices_from
            eye from_dlpack frombuffer fromiter full identity indices ix_ mask_indices ones require tri tril_indices
            tril_indices_from triu_indices triu_indices_from zeros"""),
        "asmatrix fromfile fromregex fromstring genfromtxt load loadtxt matrix memmap ndarray recarray",
        ("uninitialized memory", THEIRS, "empty"),
        ("uninitialized memory", ROUTED, "empty_like"),
        ("data movement", ROUTED, "full_like ones_like zeros_like")),
    _group(TOOL, "shapes, dtypes and memory", """
            broadcast broadcast_shapes can_cast common_type dtype finfo iinfo isdtype isfortran isscalar issubdtype
            iterable may_share_memory min_scalar_type mintypecode promote_types result_type shares_memory typename""",
        (None, LISTS, "iscomplexobj isrealobj ndim shape size")),
    _group(TOOL, "iteration", "flatiter ndenumerate ndindex nditer nested_iters"),
    _group(TOOL, "makes functions", "frompyfunc poly1d ufunc"),
    _group(TOOL, "printing and files", """
            array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific
            get_printoptions info printoptions save savetxt savez savez_compressed set_printoptions"""),
    _group(TOOL, "settings", """
            einsum_path errstate get_include getbufsize geterr geterrcall setbufsize seterr seterrcall show_config
            show_runtime test"""),
    _group(TOOL, "scalar types", """
            bool bool_ byte bytes_ cdouble character clongdouble complex128 complex256 complex64 complexfloating
            csingle datetime64 double flexible float128 float16 float32 float64 floating generic half inexact int16
            int32 int64 int8 int_ intc integer intp long longdouble longlong number object_ record short signedinteger
            single str_ timedelta64 ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger
            ushort void"""),
)  # fmt: skip

_FFT = (
    _group(RULE, "linear",
        (None, ROUTED, "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn"),
        ("data movement", ROUTED, "fftshift ifftshift")),
    _group(CREATION, "from a size", "fftfreq rfftfreq"),
    _group(TOOL, "settings", "test"),
)  # fmt: skip

_LINALG = (
    _group(RULE, "linear algebra", """
            cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power
            matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve
            trace vecdot vector_norm"""),
    _group(NONE, "its result is an integer", "matrix_rank"),
    _group(TOOL, "settings", "LinAlgError test"),
)  # fmt: skip

_METHODS = (
    _group(RULE, "as the function of its name", """
            astype clip compress conj conjugate copy cumprod cumsum diagonal dot fill flatten max mean min partition
            prod put ravel repeat reshape resize sort squeeze std sum swapaxes take trace transpose var"""),
    _group(ZERO, "it is constant between its jumps", "round"),
    _group(NONE, "it takes integers only; numpy.choose differentiates in the choices", "choose"),
    _group(NONE, "its result is a truth value or an integer",
        "all any argmax argmin argpartition argsort nonzero searchsorted"),
    _group(TOOL, "bytes, files and memory",
        "byteswap dump dumps getfield item setfield setflags to_device tobytes tofile tolist view"),
)  # fmt: skip

CLASSIFICATION = {"numpy": _NUMPY, "numpy.fft": _FFT, "numpy.linalg": _LINALG, "numpy.ndarray": _METHODS}


def classify(name: str) -> Group:
    """The group of a public callable, by its full name: "numpy.sum", "numpy.fft.fft", "numpy.ndarray.sum".

    Examples
    --------
    >>> from wirtinger.complex_autograd.namespace.functions import classify
    >>> classify("numpy.floor").reason
    'it is constant between its jumps'
    """
    owner, _, own = name.rpartition(".")
    for group in CLASSIFICATION[owner]:
        if own in group.names:
            return group
    raise KeyError(
        f"{name} is not classified (NumPy {np.__version__}): add it to complex_autograd/namespace/functions.py"
    )


def _standing(module: ModuleType, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """What stands for functions of a module of NumPy, by their names; each operation joins its family."""
    made: dict[Any, Any] = {}
    make: dict[Stand, Callable[[Any, str], Any]] = {
        LISTS: lambda function, operation: StandIn(function, function),
        ROUTED: routed,
        UFUNC: RoutedUfunc,
    }
    for family, stand, names in (row for group in CLASSIFICATION[module.__name__] for row in group.rows):
        if family is not None:
            join(family, [prefix + name for name in names])
        for name in names if stand is not THEIRS else ():
            function = getattr(module, name)
            if function not in made:
                made[function] = make[stand](function, prefix + name)
            yield name, made[function]


def _public(module: ModuleType) -> dict[str, Any]:
    """A module's public names but for its submodules and `test`, which runs NumPy's tests."""
    listed = sorted(vars(module).keys() & {*module.__all__} - {"test"})
    names = {name: getattr(module, name) for name in listed if not name.startswith("__")}
    return {name: value for name, value in names.items() if not isinstance(value, ModuleType)}


NUMPY = _public(np) | dict(_standing(np))
"""NumPy's namespace."""
NUMPY.update({name: getattr(creation, name) for name in NUMPY.keys() & {*creation.__all__}})
turning(creation.arange, "arange")
NUMPY.update(c_=c_, mgrid=mgrid, ogrid=ogrid, r_=r_)
NUMPY.update(kaiser=turning(kaiser, "kaiser"), ndenumerate=ndenumerate, vectorize=vectorize)

FFT = _public(np.fft) | dict(_standing(np.fft, "fft."))
"""That of `numpy.fft`."""
FFT.update({name: frequencies(getattr(np.fft, name)) for name in ("fftfreq", "rfftfreq")})
