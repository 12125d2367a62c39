"""The functions of linear algebra, each with its origin, a call on one item of a stack, and an independent reference.

There are 133: the union of `numpy.linalg`, `scipy.linalg`, `torch.linalg` and the products of the main namespace, which
are written `np.name`.  Names of PyTorch alone are checked against what defines them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as sl

import wirtinger as wt

__all__ = ["CASES", "Case", "function_named"]

CASES: dict[str, Case] = {}
N, S, T, M = "numpy", "scipy", "torch", "main"


@dataclass(frozen=True)
class Case:
    """One function.

    Attributes
    ----------
    origins : tuple of str
        The packages that have it.
    call : callable
        Calls ours, found by its name when it is called.
    reference : callable
        What it should return for one item.
    draw : tuple of callable
        Of each argument one item, from random numbers of a dtype.
    reason : str
        Why it has no derivative; empty if it has one.
    kinds : str
        "f" real, "c" complex.
    stacks : bool
        Whether the arguments may be stacks.
    """

    name: str
    origins: tuple[str, ...]
    call: Callable[..., Any]
    reference: Callable[..., Any]
    draw: tuple[Callable[..., Any], ...]
    reason: str
    kinds: str
    stacks: bool

    def arguments(self, dtype: Any, stack: tuple[int, ...] = (), seed: int = 0) -> list[Any]:
        random = np.random.default_rng(seed)
        count = int(np.prod(stack))
        drawn = [[make(random, dtype) for make in self.draw] for _ in range(count)]
        columns = zip(*drawn, strict=True)
        return [np.stack(column).reshape(*stack, *column[0].shape) if stack else column[0] for column in columns]


def function_named(name: str) -> Any:
    """The function of ours that a name stands for."""
    return getattr(wt, name[3:]) if name.startswith("np.") else getattr(wt.linalg, name)


def case(
    names: str,
    origins: tuple[str, ...],
    *draw: Callable[..., Any],
    reference: Callable[..., Any] | None = None,
    call: Callable[..., Any] | None = None,
    reason: str = "",
    kinds: str = "fc",
    stacks: bool = True,
) -> None:
    """Add functions that are called alike; `call(function, *arrays)` calls ours and, by default, the reference."""
    for name in names.split():
        own = (M,) if name.startswith("np.") else tuple(origin for origin in origins if origin != M)
        peer = reference or _peer(name, own)
        invoke = call or (lambda function, *arrays: function(*arrays))
        ours = lambda *arrays, name=name, invoke=invoke: invoke(function_named(name), *arrays)
        theirs = peer if reference else lambda *arrays, peer=peer, invoke=invoke: invoke(peer, *arrays)
        assert name not in CASES
        CASES[name] = Case(name, own, ours, theirs, draw, reason, kinds, stacks)


def _peer(name: str, origins: tuple[str, ...]) -> Any:
    if name.startswith("np."):
        return getattr(np, name[3:])
    return getattr(np.linalg if N in origins else sl, name)


def matrix(*shape: int) -> Callable[..., Any]:
    """Normal random numbers."""

    def draw(random: np.random.Generator, dtype: Any) -> Any:
        x = random.standard_normal(shape)
        if np.dtype(dtype).kind == "c":
            x = x + 1j * random.standard_normal(shape)
        return x.astype(dtype)

    return draw


def changed(draw: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda random, dtype: change(draw(random, dtype))


def regular(n: int) -> Callable[..., Any]:
    return changed(matrix(n, n), lambda a: a + (4 * np.eye(n)).astype(a.dtype))


def definite(n: int) -> Callable[..., Any]:
    return changed(matrix(n, n), lambda a: a @ a.conj().T + np.eye(n).astype(a.dtype))


def hermitian(n: int) -> Callable[..., Any]:
    return changed(matrix(n, n), lambda a: a + a.conj().T)


def orthonormal(m: int, n: int) -> Callable[..., Any]:
    return changed(matrix(m, m), lambda a: np.linalg.qr(a)[0][:, :n])


def band(rows: int, n: int, diagonal: int) -> Callable[..., Any]:
    def strong(ab: Any) -> Any:
        ab[diagonal] = np.abs(ab[diagonal]) + 6
        return ab

    return changed(matrix(rows, n), strong)


def strong_first(n: int) -> Callable[..., Any]:
    return changed(matrix(n), lambda c: c + (6 * np.eye(n)[0]).astype(c.dtype))


square, tall, wide, vector, column = matrix(4, 4), matrix(5, 3), matrix(3, 5), matrix(4), matrix(4, 2)
vectors = changed(matrix(3), lambda x: x)

# products

case("matmul np.matmul", (N, T, M), tall, matrix(3, 2))
case("np.dot np.inner np.vdot", (M,), vector, vector, stacks=False)
case("vecdot", (N, T), vector, vector)
case("outer", (N,), vector, vectors, stacks=False)
case("np.outer", (M,), vector, vectors, stacks=False)
case("tensordot np.tensordot", (N, T, M), tall, matrix(3, 2), call=lambda f, a, b: f(a, b, axes=1), stacks=False)
case("np.einsum", (M,), square, square, call=lambda f, a, b: f("...ij,...jk->...ik", a, b))
case("np.kron", (M,), tall, square, stacks=False)
case("khatri_rao", (S,), tall, matrix(2, 3))
case("multi_dot", (N, T), tall, matrix(3, 2), matrix(2, 4), call=lambda f, *a: f(a), stacks=False)
case("cross", (N, T), vectors, vectors)
case("trace diagonal", (N, T), square)
case("np.trace np.diagonal", (M,), square, call=lambda f, a: f(a, axis1=-2, axis2=-1))
case("matrix_transpose", (N,), tall)
case("matrix_power", (N, T), regular(3), call=lambda f, a: f(a, -2))

# systems

case("solve", (N, S, T), square, column)
case("solve_ex", (T,), square, column, reference=lambda a, b: (np.linalg.solve(a, b), np.int32(0)))
case("inv", (N, S, T), square)
case("inv_ex", (T,), square, reference=lambda a: (np.linalg.inv(a), np.int32(0)))
case("tensorsolve", (N, T), matrix(2, 2, 4), matrix(2, 2), stacks=False)
case("tensorinv", (N, T), matrix(2, 2, 4), stacks=False)
case("solve_triangular", (S, T), regular(4), column)
case("lstsq", (N, S, T), tall, matrix(5, 2))
case("pinv", (N, S, T), tall)
case("pinvh", (S,), hermitian(4))
case("cho_factor", (S,), definite(4), call=lambda f, a: np.triu(f(a)[0]))
case("cho_solve", (S,), regular(4), column, call=lambda f, c, b: f((c, False), b))
case(
    "lu_solve",
    (S, T),
    regular(4),
    column,
    call=lambda f, lu, b: f((lu, np.broadcast_to([1, 3, 2, 3], lu.shape[:-1])), b),
)
case(
    "ldl_solve",
    (T,),
    definite(4),
    column,
    call=lambda f, a, b: f(*wt.linalg.ldl_factor(a, hermitian=True), b, hermitian=True),
    reference=np.linalg.solve,
)

# factorizations

case("cholesky", (N, S, T), definite(4))
case("cholesky_ex", (T,), definite(4), reference=lambda a: (np.linalg.cholesky(a), np.int32(0)))
case("qr", (N, S, T), tall)
case("rq", (S,), wide)
case("qr_multiply", (S,), matrix(4, 3), matrix(2, 4))
case("qr_update", (S,), orthonormal(4, 4), changed(square, np.triu), column, column)
case(
    "qr_insert", (S,), orthonormal(4, 4), changed(square, np.triu), matrix(2, 4), call=lambda f, q, r, u: f(q, r, u, 1)
)
case("qr_delete", (S,), orthonormal(4, 4), changed(square, np.triu), call=lambda f, q, r: f(q, r, 1))
case(
    "householder_product",
    (T,),
    square,
    call=lambda f, a: f(*_reflectors(a)),
    reference=lambda a: np.linalg.qr(a)[0],
)
case("lu", (S, T), square)
case("lu_factor", (S, T), square)
case("lu_factor_ex", (T,), square, reference=lambda a: (*sl.lu_factor(a), np.int32(0)))
case("ldl", (S,), hermitian(4))
case("ldl_factor", (T,), hermitian(4), call=lambda f, a: f(a, hermitian=True), reference=lambda a: _packed(a)[:2])
case("ldl_factor_ex", (T,), hermitian(4), call=lambda f, a: f(a, hermitian=True), reference=lambda a: _packed(a))
case("hessenberg", (S,), square, call=lambda f, a: f(a, calc_q=True))
case("schur", (S,), square)
case(
    "rsf2csf",
    (S,),
    matrix(4, 4),
    call=lambda f, a: f(*_schur(a)),
    reference=lambda a: sl.rsf2csf(*sl.schur(a)),
    kinds="f",
)
case("qz ordqz", (S,), square, square)
case("svd svdvals", (N, S, T), tall)
case("polar orth", (S,), tall)
case("subspace_angles", (S,), matrix(6, 2), matrix(6, 3))
case("null_space", (S,), wide)
case("cossin", (S,), orthonormal(5, 5), call=lambda f, x: f(x, 3, 2))
case("orthogonal_procrustes", (S,), tall, tall)
case("matrix_balance", (S,), square)
case(
    "cdf2rdf",
    (S,),
    matrix(4, 4),
    call=lambda f, a: f(*_complex_eigen(a)),
    kinds="f",
)

# eigenvalues

case("eigh eigvalsh", (N, S, T), hermitian(4))
case("eig eigvals", (N, S, T), square)
case("eig_banded eigvals_banded", (S,), band(3, 5, 2))
case("eigh_tridiagonal eigvalsh_tridiagonal", (S,), vector, vectors, kinds="f")

# determinant and norms

case("det", (N, S, T), square)
case("slogdet", (N, T), square)
case("norm", (N, S, T), tall, call=lambda f, a: f(a, axis=(-2, -1)))
case("vector_norm", (N, T), vector, call=lambda f, a: f(a, axis=-1))
case("matrix_norm cond", (N, T), square)

# functions of a matrix

case("expm cosm sinm tanm coshm sinhm tanhm logm sqrtm signm", (S,), regular(4))
case("matrix_exp", (T,), square, reference=sl.expm)
case("fractional_matrix_power", (S,), regular(4), call=lambda f, a: f(a, 0.4))
case(
    "funm",
    (S,),
    regular(4),
    call=lambda f, a: f(a, lambda z: z * z + 1),
    reference=lambda a: a @ a + np.eye(4).astype(a.dtype),
)
case("expm_frechet", (S,), square, square)
case("expm_cond", (S,), square)

# matrix equations

case("solve_sylvester", (S,), regular(4), regular(3), matrix(4, 3))
case("solve_continuous_lyapunov solve_discrete_lyapunov", (S,), square, square)
case("solve_lyapunov", (S,), square, square, reference=sl.solve_continuous_lyapunov)
case("solve_continuous_are solve_discrete_are", (S,), square, column, definite(4), definite(2))

# structured matrices

case("cholesky_banded", (S,), band(3, 5, 2))
case("cho_solve_banded", (S,), band(3, 5, 2), matrix(5, 2), call=lambda f, c, b: f((c, False), b))
case("solve_banded", (S,), band(3, 5, 1), matrix(5, 2), call=lambda f, ab, b: f((1, 1), ab, b))
case("solveh_banded", (S,), band(3, 5, 2), matrix(5, 2))
case("toeplitz hankel", (S,), vector, matrix(3))
case("circulant", (S,), vector)
case("convolution_matrix", (S,), vector, call=lambda f, a: f(a, 3))
case("matmul_toeplitz", (S,), vector, matrix(3), matrix(3, 2), call=lambda f, c, r, x: f((c, r), x))
case("solve_toeplitz", (S,), strong_first(4), vector, column, call=lambda f, c, r, b: f((c, r), b))
case("solve_circulant", (S,), strong_first(4), vector, call=lambda f, c, b: f(c, b, baxis=-1, outaxis=-1))
case("companion fiedler_companion", (S,), strong_first(4))
case("fiedler", (S,), vector)
case("leslie", (S,), vector, matrix(3))
case("block_diag", (S,), tall, square)
case("diagsvd", (S,), vectors, call=lambda f, s: f(s, 3, 4))
case("vander", (T,), vector, reference=lambda x: np.vander(x, increasing=True))
case("clarkson_woodruff_transform", (S,), tall, call=lambda f, a: f(a, 2, rng=7))

# no derivative by nature

INTEGERS, BOOLEAN, SIZES = "its result is an integer", "its result is a boolean", "its arguments are integers"
LOOK_UP = "it is a look-up"
case("matrix_rank", (N, T), tall, reason=INTEGERS)
case("bandwidth", (S,), changed(square, np.triu), reason=INTEGERS)
case("ishermitian issymmetric", (S,), hermitian(4), reason=BOOLEAN)
case("dft helmert hilbert invhilbert pascal invpascal", (S,), call=lambda f: f(4), reason=SIZES, stacks=False)
case("hadamard", (S,), call=lambda f: f(4), reason=SIZES, stacks=False)
case("find_best_blas_type", (S,), square, call=lambda f, a: f((a,))[0], reason=LOOK_UP, stacks=False)
case("get_blas_funcs", (S,), square, call=lambda f, a: f("gemm", (a,)).typecode, reason=LOOK_UP, stacks=False)
case("get_lapack_funcs", (S,), square, call=lambda f, a: f("gesv", (a,)).typecode, reason=LOOK_UP, stacks=False)


def _reflectors(a: Any) -> Any:
    h, tau = np.linalg.qr(a, mode="raw")
    return np.swapaxes(h, -1, -2), tau


def _packed(a: Any) -> Any:
    hermitian = a.dtype.kind == "c"
    (factorize,) = sl.get_lapack_funcs(("hetrf" if hermitian else "sytrf",), (a,))
    ld, pivots, info = factorize(a, lower=True, lwork=64 * len(a))
    return np.tril(ld), pivots, np.int32(info)


def _schur(a: Any) -> Any:
    if a.ndim == 2:
        return sl.schur(a)
    t, z = np.empty_like(a), np.empty_like(a)
    for i in np.ndindex(a.shape[:-2]):
        t[i], z[i] = sl.schur(a[i])
    return t, z


def _complex_eigen(a: Any) -> Any:
    rotation = np.array([[0.0, 1.0], [-1.0, 0.0]])
    pairs = sl.block_diag(2 * rotation, 3 * rotation).astype(a.dtype)
    return np.linalg.eig(0.1 * a + pairs)
