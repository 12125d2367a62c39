"""Calls of `scipy.integrate`, `optimize`, `differentiate`, `linalg` and `special`."""

from __future__ import annotations

from typing import Any

import numpy as np
from probe import Case

import wirtinger

__all__ = ["CASES"]

_RNG = np.random.default_rng(5)
T = np.linspace(0.0, 2.0, 9)
Y = np.cos(T) + 0.3 * _RNG.normal(size=9)
NODES = np.sort(_RNG.uniform(0, 2, 9))
A = _RNG.normal(size=(3, 3)) + 3 * np.eye(3)
S = A @ A.T
B = _RNG.normal(size=(3, 2))


def _first(result: Any) -> Any:
    return result[0]


def _x(result: Any) -> Any:
    return result.x


def wave(x: Any, a: Any) -> Any:
    """An integrand."""
    return wirtinger.exp(-a * x) * wirtinger.sin(a * x + 1)


def decay(t: Any, y: Any, a: Any) -> Any:
    """A system of two equations."""
    return wirtinger.stack([-a * y[0] + y[1] ** 2, y[0] - 2 * y[1]])


class _Solve:
    """`solve_ivp` as a function of what varies: the start, a parameter, and the end."""

    def __init__(self, method: str, **options: Any) -> None:
        self.method, self.options = method, options

    def __call__(self, namespace: Any, y: Any, a: Any, end: Any) -> Any:
        options = {"rtol": 1e-11, "atol": 1e-12, **self.options}
        return namespace.integrate.solve_ivp(decay, (0.0, end), y, method=self.method, args=(a,), **options).y[:, -1]


def _calls(name: str, function: Any, *args: Any, **more: Any) -> Case:
    """A call through a function of the namespace and of what varies."""
    return Case(name, args, through=function, **more)


_INTEGRATE = [
    *(Case(f"integrate.{name}", (Y, NODES)) for name in ("trapezoid", "simpson", "cumulative_trapezoid")),
    _calls("integrate.cumulative_simpson", lambda sp, y, x: sp.integrate.cumulative_simpson(y, x=x), Y, NODES),
    Case("integrate.trapezoid", (Y,), {"dx": 0.3}),
    Case("integrate.simpson", (Y,), {"dx": 0.3}),
    Case("integrate.romb", (Y,), {"dx": 0.25}),
    _calls("integrate.quad", lambda sp, a, low, high: sp.integrate.quad(wave, low, high, args=(a,))[0], 1.3, 0.2, 2.1),
    _calls(
        "integrate.quad", lambda sp, a: sp.integrate.quad(lambda x: wave(x, a), 0.5, np.inf)[0], 1.3, note="to infinity"
    ),
    _calls("integrate.quad", lambda sp, a: sp.integrate.quad(lambda x: x**a, 0.0, 1.0)[0], 0.3, note="x**a at 0"),
    _calls(
        "integrate.quad_vec",
        lambda sp, a, low, high: sp.integrate.quad_vec(lambda x: wirtinger.stack([wave(x, a), x**a]), low, high)[0],
        1.3,
        0.2,
        2.1,
    ),
    _calls(
        "integrate.dblquad",
        lambda sp, a: sp.integrate.dblquad(lambda y, x: wirtinger.exp(-a * x * y), 0, 1, lambda x: 0, lambda x: a * x)[
            0
        ],
        1.3,
    ),
    _calls(
        "integrate.nquad",
        lambda sp, a: sp.integrate.nquad(lambda x, y: wirtinger.exp(-a * x * y), [(0, 1), (0, 1)])[0],
        1.3,
    ),
    _calls(
        "integrate.fixed_quad",
        lambda sp, a, low, high: sp.integrate.fixed_quad(wave, low, high, args=(a,))[0],
        1.3,
        0.2,
        2.1,
    ),
    _calls(
        "integrate.tanhsinh",
        lambda sp, a, low, high: sp.integrate.tanhsinh(wave, low, high, args=(a,)).integral,
        1.3,
        0.2,
        2.1,
    ),
    _calls(
        "integrate.cubature",
        lambda sp, a: sp.integrate.cubature(lambda x: wave(x[:, 0] * x[:, 1], a), np.zeros(2), np.ones(2)).estimate,
        1.3,
    ),
    _calls("integrate.nsum", lambda sp, a: sp.integrate.nsum(lambda k: k**-a, 1, np.inf).sum, 2.3),
    *(
        _calls(
            "integrate.solve_ivp",
            _Solve(m, rtol=rtol),
            np.array([1.0, 0.4]),
            1.3,
            0.4,
            note=m,
            reference=_Solve("DOP853", rtol=1e-13, atol=1e-14),
        )
        for m, rtol in {"RK23": 1e-7, "RK45": 1e-9, "DOP853": 1e-11, "Radau": 1e-8, "BDF": 1e-8, "LSODA": 1e-9}.items()
    ),
    _calls(
        "integrate.solve_ivp",
        _Solve("RK45", t_eval=np.array([0.3, 0.7])),
        np.array([1.0, 0.4]),
        1.3,
        1.1,
        note="t_eval",
        argnums=(0, 1),
    ),
    _calls(
        "integrate.odeint",
        lambda sp, y, a: sp.integrate.odeint(
            decay, y, np.array([0.0, 0.5, 1.0]), args=(a,), tfirst=True, rtol=1e-10, atol=1e-12
        )[-1],
        np.array([1.0, 0.4]),
        1.3,
    ),
    _calls(
        "integrate.RK45",
        lambda sp, y: _stepped(sp.integrate.RK45(lambda t, y: decay(t, y, 1.3), 0.0, y, 1.0, rtol=1e-10, atol=1e-12)),
        np.array([1.0, 0.4]),
    ),
    _calls(
        "integrate.solve_bvp",
        lambda sp, a: sp.integrate.solve_bvp(
            lambda x, y: np.vstack([y[1], -wirtinger.exp(a * y[0])]),
            lambda p, q: wirtinger.stack([p[0], q[0]]),
            np.linspace(0, 1, 5),
            np.zeros((2, 5)),
            tol=1e-8,
        ).sol(0.5),
        1.0,
    ),
]


def _stepped(solver: Any) -> Any:
    while solver.status == "running":
        solver.step()
    return solver.y


def bowl(x: Any, a: Any) -> Any:
    """A function with one minimum."""
    return wirtinger.sum((x - a) ** 2) + wirtinger.sum(x**4) + x[0] * x[1]


def bowl_gradient(x: Any, a: Any) -> Any:
    """Its gradient."""
    return 2 * (x - a) + 4 * x**3 + x[::-1]


_TIGHT = {"xtol": 1e-13, "rtol": 1e-13}
_OPTIMIZE = [
    *(
        _calls(
            f"optimize.{name}",
            lambda sp, a, name=name: getattr(sp.optimize, name)(lambda x, a: x**3 - a, 0.2, 3.0, args=(a,), **_TIGHT),
            2.3,
        )
        for name in ("brentq", "brenth", "ridder", "bisect", "toms748")
    ),
    _calls("optimize.newton", lambda sp, a: sp.optimize.newton(lambda x, a: x**3 - a, 1.0, args=(a,)), 2.3),
    _calls(
        "optimize.newton",
        lambda sp, a: sp.optimize.newton(lambda x, a: x**3 - a, 1.0, lambda x, a: 3 * x**2, args=(a,)),
        2.3,
        note="fprime",
    ),
    _calls(
        "optimize.root_scalar",
        lambda sp, a: sp.optimize.root_scalar(lambda x, a: x**3 - a, args=(a,), bracket=(0.2, 3.0)).root,
        2.3,
    ),
    _calls(
        "optimize.root",
        lambda sp, a: (
            sp.optimize.root(
                lambda x, a: wirtinger.stack([x[0] ** 2 + x[1] - a, x[0] - x[1] ** 3]), np.ones(2), args=(a,), tol=1e-13
            ).x
        ),
        2.3,
    ),
    _calls(
        "optimize.fsolve",
        lambda sp, a: sp.optimize.fsolve(
            lambda x, a: wirtinger.stack([x[0] ** 2 + x[1] - a, x[0] - x[1] ** 3]), np.ones(2), args=(a,), xtol=1e-13
        ),
        2.3,
    ),
    _calls(
        "optimize.fixed_point",
        lambda sp, a: sp.optimize.fixed_point(lambda x, a: wirtinger.cos(a * x), 0.6, args=(a,), xtol=1e-13),
        0.8,
    ),
    *(
        _calls(
            "optimize.minimize",
            lambda sp, a, m=m: (
                sp.optimize.minimize(bowl, np.zeros(2), args=(a,), jac=bowl_gradient, method=m, tol=1e-14).x
            ),
            np.array([1.0, 2.0]),
            note=m,
        )
        for m in ("BFGS", "L-BFGS-B", "CG", "Newton-CG", "SLSQP")
    ),
    *(
        _calls(
            f"optimize.{name}",
            lambda sp, a, name=name, options=options: getattr(sp.optimize, name)(
                bowl, np.zeros(2), bowl_gradient, args=(a,), disp=0, **options
            ),
            np.array([1.0, 2.0]),
        )
        for name, options in {
            "fmin_bfgs": {"gtol": 1e-12},
            "fmin_cg": {"gtol": 1e-11},
            "fmin_ncg": {"avextol": 1e-13},
        }.items()
    ),
    _calls(
        "optimize.minimize_scalar",
        lambda sp, a: sp.optimize.minimize_scalar(lambda x, a: (x - a) ** 2 + x**4, args=(a,), tol=1e-13).x,
        1.3,
    ),
    _calls(
        "optimize.fminbound",
        lambda sp, a: sp.optimize.fminbound(lambda x, a: (x - a) ** 2 + x**4, 0.0, 2.0, args=(a,), xtol=1e-12),
        1.3,
    ),
    _calls(
        "optimize.least_squares",
        lambda sp, a: (
            sp.optimize.least_squares(
                lambda x, a: wirtinger.stack([x[0] - a, x[1] ** 2 - x[0], x[0] * x[1] - 2]),
                np.ones(2),
                args=(a,),
                xtol=1e-14,
                ftol=1e-14,
                gtol=1e-14,
            ).x
        ),
        1.3,
    ),
    _calls(
        "optimize.leastsq",
        lambda sp, a: sp.optimize.leastsq(
            lambda x, a: wirtinger.stack([x[0] - a, x[1] ** 2 - x[0], x[0] * x[1] - 2]),
            np.ones(2),
            args=(a,),
            xtol=1e-14,
            ftol=1e-14,
        )[0],
        1.3,
    ),
    _calls(
        "optimize.curve_fit",
        lambda sp, y: sp.optimize.curve_fit(
            lambda x, a, b: a * wirtinger.exp(-b * x), T, y, p0=(1.0, 0.5), xtol=1e-14, ftol=1e-14
        )[0],
        np.exp(-T) + 0.02 * _RNG.normal(size=9),
    ),
    Case("optimize.rosen", (Y,)),
    Case("optimize.rosen_der", (Y,)),
    Case("optimize.rosen_hess", (Y,)),
    Case("optimize.rosen_hess_prod", (Y, NODES)),
    Case("optimize.nnls", (np.abs(B), np.abs(A[0])), result=_first),
    Case("optimize.lsq_linear", (B, A[0]), result=_x),
    _calls(
        "optimize.approx_fprime",
        lambda sp, x: sp.optimize.approx_fprime(x, lambda x: wirtinger.sum(x**3), 1e-5),
        np.array([1.0, 2.0]),
    ),
    _calls(
        "differentiate.derivative",
        lambda sp, x, a: sp.differentiate.derivative(lambda x: wirtinger.sin(a * x), x).df,
        0.4,
        1.3,
    ),
    _calls(
        "differentiate.jacobian",
        lambda sp, x: (
            sp.differentiate.jacobian(lambda x: wirtinger.stack([x[0] ** 2 * x[1], wirtinger.sin(x[1])]), x).df
        ),
        np.array([0.4, 1.3]),
    ),
    _calls("sparse.linalg.cg", lambda sp, b: sp.sparse.linalg.cg(S, b, rtol=1e-13)[0], A[0]),
    _calls("sparse.linalg.gmres", lambda sp, b: sp.sparse.linalg.gmres(A, b, rtol=1e-13)[0], A[0]),
    _calls("sparse.linalg.bicgstab", lambda sp, b: sp.sparse.linalg.bicgstab(A, b, rtol=1e-13)[0], A[0]),
    _calls("sparse.linalg.minres", lambda sp, b: sp.sparse.linalg.minres(S, b, rtol=1e-13)[0], A[0]),
    _calls("sparse.linalg.lsqr", lambda sp, b: sp.sparse.linalg.lsqr(B, b, atol=1e-13, btol=1e-13)[0], A[0]),
    *(
        _calls(
            f"sparse.linalg.{name}",
            lambda sp, a, b, name=name: getattr(sp.sparse.linalg, name)(a, b, atol=1e-13, btol=1e-13)[0],
            B,
            A[0],
            note="in the matrix, too",
        )
        for name in ("lsqr", "lsmr")
    ),
]

_LINALG = [
    *(
        Case(f"linalg.{name}", (A,))
        for name in ["inv", "det", "expm", "sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm", "pinv", "norm", "svdvals"]
    ),
    *(Case(f"linalg.{name}", (S,)) for name in ["cholesky", "sqrtm", "logm", "eigvalsh"]),
    Case("linalg.cholesky", (S,), {"lower": True}),
    Case("linalg.solve", (A, B)),
    Case("linalg.solve", (A, B[:, 0])),
    Case("linalg.solve_triangular", (np.triu(A), B)),
    Case("linalg.lstsq", (B, A[0]), result=_first),
    Case("linalg.qr", (A,)),
    Case("linalg.eigh", (S,), result=_first),
    Case("linalg.eigh", (S, S @ S), result=_first),
    Case("linalg.svd", (A,), result=lambda r: r[1]),
    Case("linalg.polar", (A,)),
    Case("linalg.solve_sylvester", (A, S, A + S)),
    Case("linalg.solve_continuous_lyapunov", (A, S)),
    Case("linalg.solve_discrete_lyapunov", (A / 9, S)),
    _calls(
        "linalg.solve_continuous_are",
        lambda sp, a, b, q: sp.linalg.solve_continuous_are(a, b, q @ q.T, np.eye(2)),
        A,
        B,
        S,
    ),
    Case("linalg.toeplitz", (A[0], A[1])),
    Case("linalg.circulant", (A[0],)),
    Case("linalg.solve_toeplitz", (S[0] + np.array([3.0, 0, 0]), A[0])),
    Case("linalg.solve_banded", ((1, 1), np.array([[0, 1, 1.0], [4, 4, 4], [1, 1, 0]]), A[0])),
    Case(
        "linalg.cho_solve",
        (A, A[0]),
        through=lambda sp, a, b: sp.linalg.cho_solve(sp.linalg.cho_factor(S * a[0, 0]), b),
    ),
    Case("linalg.lu", (A,)),
    Case("linalg.block_diag", (A, B)),
    Case("linalg.fractional_matrix_power", (S, 0.4), argnums=(0,)),
    Case("linalg.expm_frechet", (A, S), result=tuple),
    Case("linalg.subspace_angles", (B, A[:, :2])),
    Case("linalg.orthogonal_procrustes", (A, S), result=_first),
]
_SPECIAL = [
    Case("special.logsumexp", (Y,)),
    Case("special.logsumexp", (Y,), {"b": NODES}),
    Case("special.softmax", (Y,)),
    Case("special.log_softmax", (Y,)),
    Case("special.lambertw", (NODES,)),
    Case("special.zeta", (NODES + 1.5, NODES)),
    Case("special.multigammaln", (4.3, 3), argnums=(0,)),
    Case("special.comb", (7.3, 2.4)),
    Case("special.perm", (7.3, 2.4)),
    Case("special.polygamma", (2, NODES), argnums=(1,)),
    Case("special.betainc", (1.3, 2.4, 0.3)),
    Case("special.jv", (1.3, NODES)),
    Case("special.softplus", (Y,)),
]
CASES = [*_INTEGRATE, *_OPTIMIZE, *_LINALG, *_SPECIAL]
