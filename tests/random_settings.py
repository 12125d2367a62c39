"""Calls of the namespace and of `linalg`, each in settings drawn at random: axes, modes, orders, masks, dtypes.

A case is a function of a `Draw` that returns what is called, a function of a namespace and of arrays, and the arrays;
in those of `LINALG` the namespace is `scipy.linalg` or ours, and NumPy or ours is beside it.
"""

from __future__ import annotations

import numpy

from samples.statistics import METHODS


class Draw:
    """Arrays and settings from a seed."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.is_complex, self.is_complex_too, self.flag = self.random.integers(2, size=3).astype(bool).tolist()
        self.shape = self.one_of((3, 4), (2, 3, 4), (5,), (1, 3), (4, 4))
        self.n, self.m, self.k = self.one_of(2, 3, 4, 5), self.one_of(2, 3, 4, 6), self.one_of(1, 2)

    def one_of(self, *options):
        return options[self.random.integers(len(options))]

    def real(self, *shape):
        return self.random.standard_normal(shape)

    def positive(self, *shape):
        return self.random.random(shape) + 0.2

    def array(self, *shape):
        return self.real(*shape) + 1j * self.real(*shape) if self.is_complex else self.real(*shape)

    def other(self, *shape):
        return self.real(*shape) + 1j * self.real(*shape) if self.is_complex_too else self.real(*shape)

    def integers(self, low, high, *shape):
        found = self.random.integers(low, high, size=shape)
        return found if shape else int(found)

    def mask(self, *shape):
        return self.random.random(shape) < 0.7

    def axis(self, ndim):
        """None, one axis, or some of them."""
        some = self.random.permutation(ndim)[: self.integers(1, ndim + 1)]
        return self.one_of(None, self.integers(-ndim, ndim), tuple(int(i) - self.one_of(0, ndim) for i in some))

    def positive_definite(self, n):
        a = self.array(n, n)
        return a @ a.conj().T + n * numpy.eye(n)


SUBSCRIPTS = (
    "ij,jk->ik",
    "ii",
    "ii->i",
    "ij,ji",
    "i,j",
    "...i,...i",
    "ij,kj->",
    "ij,ij->ij",
    "aab->ab",
    "ij,jk,kl->il",
)


def reduction(d):
    name = d.one_of("sum", "mean", "prod", "var", "std", "nansum", "nanmean", "nanvar", "nanstd", "nanprod")
    settings = {"axis": d.axis(len(d.shape)), "keepdims": d.flag}
    if name.endswith(("var", "std")):
        settings["ddof"] = d.one_of(0, 0.5)
    if name in ("sum", "prod") and d.one_of(False, True):
        settings |= {"where": d.mask(*d.shape), "initial": 1.5}
    return lambda np, a: getattr(np, name)(a, **settings), [d.array(*d.shape)]


def extremum(d):
    name = d.one_of("max", "min", "ptp", "median", "nanmax", "nanmin", "nanmedian")
    settings = {"axis": d.axis(len(d.shape)), "keepdims": d.flag}
    return lambda np, a: getattr(np, name)(a, **settings), [d.real(*d.shape)]


def quantile(d):
    settings = {"axis": d.axis(len(d.shape)), "method": d.one_of(*METHODS), "keepdims": d.flag}
    q = d.random.random(d.one_of((), (2,), (2, 2)))
    return lambda np, a: np.quantile(a, q, **settings), [d.real(*d.shape)]


def pad(d):
    mode = d.one_of("constant", "edge", "linear_ramp", "mean", "reflect", "symmetric", "wrap", "maximum", "median")
    widths, settings = [(d.integers(0, 3), d.integers(0, 3)) for _ in d.shape], {}
    if mode in ("maximum", "mean", "median") and d.flag:
        settings["stat_length"] = d.integers(1, 3)
    if mode in ("reflect", "symmetric") and d.flag:
        settings["reflect_type"] = "odd"
    a = d.real(*d.shape) if mode in ("maximum", "median") else d.array(*d.shape)
    return lambda np, a: np.pad(a, widths, mode=mode, **settings), [a]


def pad_with(d):
    mode, key = d.one_of(("constant", "constant_values"), ("linear_ramp", "end_values"))
    return lambda np, a, v: np.pad(a, (2, 1), mode=mode, **{key: (v[0], v[1])}), [d.array(*d.shape), d.array(2)]


def running(d):
    name, axis = d.one_of("cumsum", "cumprod", "nancumsum"), d.one_of(None, d.integers(-len(d.shape), len(d.shape)))
    return lambda np, a: getattr(np, name)(a, axis=axis), [d.array(*d.shape)]


def differences(d):
    n, ends = d.integers(0, 3), d.flag
    settings = lambda p: {"prepend": p[0], "append": p[1]} if ends else {}
    return lambda np, a, p: np.diff(a, n, **settings(p)), [d.array(*d.shape), d.array(2)]


def gradient(d):
    order = d.one_of(1, 2)
    return lambda np, a, x: np.gradient(a, x, axis=-1, edge_order=order), [d.array(3, 5), numpy.sort(d.real(5))]


def convolution(d):
    name, mode = d.one_of("convolve", "correlate"), d.one_of("full", "same", "valid")
    return lambda np, a, b: getattr(np, name)(a, b, mode), [d.array(d.integers(1, 6)), d.other(d.integers(1, 6))]


def interpolation(d):
    settings = d.one_of({}, {"left": 0.3}, {"right": 0.2}, {"period": 2.7})
    return lambda np, x, xp, fp: np.interp(x, xp, fp, **settings), [1.5 * d.real(4), numpy.sort(d.real(6)), d.array(6)]


def covariance(d):
    settings = {"bias": d.flag} | d.one_of({}, {"fweights": d.integers(1, 4, 5)}, {"aweights": d.positive(5)})
    return lambda np, a, b: np.cov(a, b, **settings), [d.array(3, 5), d.other(2, 5)]


def average(d):
    axis = d.one_of(None, 0, -1)
    return lambda np, a, w: np.average(a, axis=axis, weights=w), [d.array(3, 5), d.positive(3, 5)]


def einsum(d):
    subscripts, optimize = d.one_of(*SUBSCRIPTS), d.one_of(False, True, "greedy")
    terms = subscripts.split("->")[0].split(",")
    shapes = [(2,) * ("..." in term) + (3,) * len(term.replace("...", "")) for term in terms]
    operands = [d.one_of(d.array, d.other)(*shape) for shape in shapes]
    return lambda np, *operands: np.einsum(subscripts, *operands, optimize=optimize), operands


def tensordot(d):
    axes = d.one_of(0, 1, 2, ([0, 1], [1, 0]), ([1], [0]))
    return lambda np, a, b: np.tensordot(a, b, axes), [d.array(3, 3), d.other(3, 3)]


def vector_norm(d):
    order, keepdims = d.one_of(None, 1, 2, 3, -1, 0.5, numpy.inf, -numpy.inf), d.flag
    return lambda np, a: np.linalg.norm(a, order, axis=1, keepdims=keepdims), [d.array(3, 5)]


def matrix_norm(d):
    order = d.one_of(None, "fro", "nuc", 1, -1, 2, -2, numpy.inf, -numpy.inf)
    return lambda np, a: np.linalg.norm(a, order, axis=(0, 2)), [d.array(3, 2, 4)]


def ordered(d):
    axis = d.one_of(None, 0, -1)
    name = d.one_of("sort", "partition")
    call = (
        (lambda np, a: np.sort(a, axis)) if name == "sort" else (lambda np, a: np.sort(np.partition(a, 1, axis), axis))
    )
    return call, [d.real(3, 4)]


def taken(d):
    indices, mode = d.integers(-3, 3, 2, 2), d.one_of("raise", "wrap", "clip")
    return lambda np, a: np.take(a, indices, axis=0, mode=mode), [d.array(3, 5)]


def chosen(d):
    indices, mode, conditions = d.integers(-1, 3, 4), d.one_of("wrap", "clip"), [d.mask(4), d.mask(4)]
    call = lambda np, a, b, c: np.choose(indices, [a, b], mode=mode) + np.select(conditions, [a, b], default=c)
    return call, [d.array(4), d.array(4), d.array()]


def polynomial(d):
    return lambda np, p, x: np.polyval(p, x), [d.array(d.integers(1, 5)), d.other(2, 3)]


def fitted(d):
    degree = d.integers(0, 4)
    return lambda np, x, y, w: np.polyfit(x, y, degree, w=w), [d.real(6), d.real(6), d.positive(6)]


def edited(d):
    name, where = d.one_of("insert", "delete"), d.one_of(0, -1, 2)
    call = lambda np, a, v: np.insert(a, where, v, axis=0) if name == "insert" else np.delete(a, where, axis=1) * v[0]
    return call, [d.array(3, 5), d.array(5)]


def repeated(d):
    name, times = d.one_of(("repeat", 2), ("tile", (2, 1, 2)), ("resize", (4, 7)), ("resize", (2, 3)))
    return lambda np, a: getattr(np, name)(a, times), [d.array(3, 5)]


def moved(d):
    shift, axis, turns = d.integers(-5, 6), d.one_of(None, 0, -1), d.integers(-3, 5)
    return lambda np, a: np.rot90(np.roll(a, shift, axis), turns), [d.array(3, 4)]


def transform(d):
    name, n = d.one_of("fft", "ifft", "hfft", "irfft", "rfft", "ihfft"), d.one_of(None, 3, 7)
    norm = d.one_of(None, "ortho", "forward")
    a = d.real(3, 5) if name in ("rfft", "ihfft") else d.array(3, 5)
    return lambda np, a: getattr(np.fft, name)(a, n, norm=norm), [a]


def transforms(d):
    name, s = d.one_of("fftn", "ifftn", "irfftn", "fft2"), d.one_of(None, (4, 3), (2, 7))
    norm = d.one_of(None, "ortho", "forward")
    return lambda np, a: getattr(np.fft, name)(a, s, axes=(0, 1), norm=norm), [d.array(3, 5)]


def diagonals(d):
    name, offset = d.one_of("trace", "diagonal"), d.integers(-2, 3)
    return lambda np, a: getattr(np, name)(a, offset, 2, 0), [d.array(3, 2, 4)]


def of_ufunc(d):
    mask = d.mask(3, 5)
    calls = (
        lambda np, a: np.multiply.reduceat(a, [0, 2, 1, 4], axis=-1),
        lambda np, a: np.logaddexp.accumulate(np.real(a), axis=0),
        lambda np, a: np.arctan2.outer(np.real(a[0]), np.real(a[1])),
        lambda np, a: np.add.reduce(a, axis=(0, 1), where=mask, initial=2.0),
        lambda np, a: np.exp(a, where=mask, out=np.zeros((3, 5), a.dtype)),
    )
    return d.one_of(*calls), [d.array(3, 5)]


def least_squares(d):
    return lambda np, a, b: np.linalg.lstsq(a, b, rcond=None)[0], [d.array(5, 3), d.other(5, 2)]


def written(d):
    def call(np, a, v):
        x = a * 1.0
        x[[0, 2], [1, -1]] = v
        x[1] *= x[0, ::-1]
        x[:, 1:3] += v
        np.put_along_axis(x, numpy.array([[1], [0], [4]]), v[:1], axis=1)
        np.fill_diagonal(x, v[1])
        return x

    return call, [d.array(3, 5), d.array(2)]


def powers(d):
    n = d.integers(-3, 5)
    return lambda np, a: np.linalg.matrix_power(a, n), [d.array(2, 3, 3)]


NAMESPACE = {
    case.__name__: case
    for case in (
        *(reduction, extremum, quantile, pad, pad_with, running, differences, gradient, convolution, interpolation),
        *(covariance, average, einsum, tensordot, vector_norm, matrix_norm, ordered, taken, chosen, polynomial, fitted),
        *(edited, repeated, moved, transform, transforms, diagonals, of_ufunc, least_squares, written, powers),
    )
}


# --- linalg: `l` is `scipy.linalg` or ours --------------------------------------------------------------------------


def hermitian(np, a):
    return (a + np.conj(np.swapaxes(a, -1, -2))) / 2


def solve(d):
    form = d.one_of(None, "gen", "pos", "her", "sym", "upper triangular", "lower triangular")
    a = d.positive_definite(d.n) if form == "pos" else d.array(d.n, d.n)
    transposed = d.flag and not (d.is_complex and form in ("her", "pos"))
    settings = {"assume_a": form, "lower": d.one_of(False, True), "transposed": transposed}

    def call(l, np, a, b):
        if form in ("pos", "her"):
            a = hermitian(np, a)
        elif form == "sym":
            a = a + a.T
        elif form and form.endswith("triangular"):
            a = (np.tril if form.startswith("lower") else np.triu)(a) + 3 * np.eye(len(a))
        return l.solve(a, b, **settings)

    return call, [a, d.other(d.n, d.k)]


def solve_triangular(d):
    settings = {"lower": d.flag, "unit_diagonal": d.one_of(False, True), "trans": d.one_of(0, 1, 2)}
    return lambda l, np, a, b: l.solve_triangular(a, b, **settings), [
        numpy.eye(d.n) * 3 + d.array(d.n, d.n),
        d.other(d.n, d.k),
    ]


def by_factors(d):
    trans = d.one_of(0, 1, 2)
    calls = (
        lambda l, np, a, b: l.lu_solve(l.lu_factor(a), b, trans=trans),
        lambda l, np, a, b: l.cho_solve(l.cho_factor(hermitian(np, a), lower=d.flag), b),
    )
    return d.one_of(*calls), [d.positive_definite(d.n), d.other(d.n, d.k)]


def factored(d):
    calls = (
        lambda l, np, a: l.cholesky(hermitian(np, a), lower=d.flag),
        lambda l, np, a: np.concatenate([np.ravel(x) for x in l.lu(a, permute_l=True)]),
        lambda l, np, a: np.abs(l.qr(a, mode="economic")[1]),
        lambda l, np, a: np.abs(l.rq(a, mode="economic")[0]),
        lambda l, np, a: np.abs(l.hessenberg(a)),
        lambda l, np, a: l.polar(a, side="left")[1],
        lambda l, np, a: l.matrix_balance(a, separate=0)[0],
    )
    return d.one_of(*calls), [d.positive_definite(d.n) + 0.3 * d.array(d.n, d.n)]


def of_rectangular(d):
    calls = (
        lambda l, np, a: l.svdvals(a),
        lambda l, np, a: (lambda u, s, vh: u[:, :1] * s[0] @ vh[:1])(*l.svd(a, full_matrices=d.flag)),
        lambda l, np, a: l.pinv(a),
        lambda l, np, a: (lambda q: q @ np.conj(q.T))(l.qr(a, mode="economic")[0]),
        lambda l, np, a: (lambda z: z @ np.conj(z.T))(l.orth(a)),
    )
    return d.one_of(*calls), [d.array(d.m, d.n)]


def power_sums(np, w):
    """Functions of eigenvalues that do not depend on their order."""
    return np.stack([np.sum(w**n) for n in (1, 2, 3)])


def eigenvalues(d):
    first, last = sorted((d.integers(0, d.n), d.integers(0, d.n)))
    calls = (
        lambda l, np, a: l.eigh(hermitian(np, a), eigvals_only=True, lower=d.flag, subset_by_index=(first, last)),
        lambda l, np, a: (lambda v: v[:, :1] @ np.conj(v[:, :1].T))(l.eigh(hermitian(np, a))[1]),
        lambda l, np, a: power_sums(np, l.eigvals(a)),
        lambda l, np, a: power_sums(np, np.diagonal(l.schur(a, output="complex")[0])),
    )
    return d.one_of(*calls), [d.array(d.n, d.n)]


def generalized_eigenvalues(d):
    kind = d.one_of(1, 2, 3)
    calls = (
        lambda l, np, a, b: l.eigh(hermitian(np, a), hermitian(np, b), eigvals_only=True, type=kind),
        lambda l, np, a, b: power_sums(np, l.eigvals(a, b)),
    )
    return d.one_of(*calls), [d.array(d.n, d.n), d.positive_definite(d.n)]


def function_of_matrix(d):
    name, size = d.one_of("expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"), d.one_of(1e-8, 0.1, 0.4)
    return lambda l, np, a: getattr(l, name)(a), [size * d.array(d.n, d.n)]


def function_of_positive(d):
    name = d.one_of("logm", "sqrtm", "signm", "inv", "det")
    return lambda l, np, a: getattr(l, name)(a), [d.positive_definite(d.n) + 0.3 * d.array(d.n, d.n)]


def power_of_matrix(d):
    return lambda l, np, a: l.fractional_matrix_power(a, 0.3), [d.positive_definite(d.n)]


def derivative_of_exponential(d):
    a, e = 0.3 * d.array(d.n, d.n), d.array(d.n, d.n)
    return lambda l, np, a, e: l.expm_frechet(a, e, compute_expm=False), [a, e]


def equation(d):
    a, b, q = d.array(d.n, d.n), d.array(d.m, d.m), d.array(d.n, d.m)  # of other dtypes, SciPy drops imaginary parts
    return lambda l, np, a, b, q: l.solve_sylvester(a, b, q), [a + 5 * numpy.eye(d.n), b + 5 * numpy.eye(d.m), q]


def lyapunov(d):
    method = d.one_of("direct", "bilinear", None)
    calls = (
        lambda l, np, a, q: l.solve_continuous_lyapunov(a - 4 * np.eye(len(a)), q),
        lambda l, np, a, q: l.solve_discrete_lyapunov(0.2 * a, q, method=method),
    )
    return d.one_of(*calls), [d.array(d.n, d.n), d.array(d.n, d.n)]


def riccati(d):
    name = d.one_of("solve_continuous_are", "solve_discrete_are")
    arrays = [
        0.6 * d.array(d.n, d.n),
        d.other(d.n, d.k),
        d.positive_definite(d.n),
        d.k * numpy.eye(d.k) + d.positive(1),
    ]
    if d.flag:
        arrays += [2 * numpy.eye(d.n) + 0.2 * d.array(d.n, d.n), 0.05 * d.array(d.n, d.k)]
    settings = {"balanced": not d.flag}  # SciPy's balancing with `e` solves another equation

    def call(l, np, a, b, q, r, *more):
        return getattr(l, name)(a, b, hermitian(np, q), hermitian(np, r), *more, **settings)

    return call, arrays


def banded(d):
    below, above = min(d.integers(0, 3), d.n - 1), min(d.integers(0, 3), d.n - 1)
    a = d.array(below + above + 1, d.n)
    a[above] += 6
    return lambda l, np, a, b: l.solve_banded((below, above), a, b), [a, d.other(d.n, d.k)]


def structured(d):
    name = d.one_of("solve_toeplitz", "matmul_toeplitz")
    first = d.array(d.n)
    first[0] += 6
    return lambda l, np, c, r, b: getattr(l, name)((c, r), b), [first, d.array(d.n), d.other(d.n, d.k)]


def built(d):
    name, count = d.one_of(("toeplitz", 2), ("hankel", 2), ("circulant", 1), ("companion", 1), ("block_diag", 2))
    return lambda l, np, *a: getattr(l, name)(*a), [d.array(d.n) for _ in range(count)]


def angles(d):
    return lambda l, np, a, b: l.subspace_angles(a, b), [d.array(6, 2), d.other(6, 3)]


LINALG = {
    case.__name__: case
    for case in (
        *(solve, solve_triangular, by_factors, factored, of_rectangular, eigenvalues, generalized_eigenvalues),
        *(function_of_matrix, function_of_positive, power_of_matrix, derivative_of_exponential, equation, lyapunov),
        *(riccati, banded, structured, built, angles),
    )
}
