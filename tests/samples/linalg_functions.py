"""Functions of a matrix and equations of matrices."""

from __future__ import annotations

import numpy as np

from wirtinger import linalg as L

from . import array, sample


def well(a):
    """Square matrices with eigenvalues in the right half-plane."""
    return a / 2 + 3 * np.eye(a.shape[-1])


def indefinite(a):
    """Square matrices with eigenvalues on both sides of the imaginary axis."""
    return np.diag([3.0, -6.0, 9.0]) + a / 2


for _size in (1, 2, 4):
    sample("linalg.expm", L.expm, array(_size, _size), label=str(_size))
sample("linalg.expm", lambda a: L.expm(6 * a), array(3, 3), label="squared")
sample("linalg.expm", L.expm, array(2, 3, 3), label="stack")
sample("linalg.matrix_exp", L.matrix_exp, array(2, 3, 3))
sample("linalg.expm_frechet", L.expm_frechet, array(3, 3), array(3, 3))
sample("linalg.expm_frechet", lambda a, e: L.expm_frechet(3 * a, e, compute_expm=False), array(2, 3, 3), array(3, 3))
sample("linalg.expm_cond", L.expm_cond, array(2, 2, 2), label="stack")
sample("linalg.expm_cond", L.expm_cond, array(3, 3))

sample("linalg.solve_sylvester", L.solve_sylvester, array(3, 3, domain=well), array(2, 2, domain=well), array(3, 2))
sample(
    "linalg.solve_sylvester",
    L.solve_sylvester,
    array(2, 3, 3, domain=well),
    array(2, 2, domain=well),
    array(4, 1, 3, 2),
    label="stacks",
)
for _name, _solve in (
    ("linalg.solve_continuous_lyapunov", L.solve_continuous_lyapunov),
    ("linalg.solve_lyapunov", L.solve_lyapunov),
):
    sample(_name, _solve, array(3, 3, domain=well), array(3, 3))
    sample(_name, _solve, array(2, 3, 3, domain=well), array(3, 3), label="stack")
for _method in (None, "direct", "bilinear"):
    sample(
        "linalg.solve_discrete_lyapunov",
        lambda a, q, method=_method: L.solve_discrete_lyapunov(a / 4, q, method),
        array(2, 3, 3),
        array(3, 3),
        label=str(_method),
    )

for _function in (L.cosm, L.sinm, L.tanm, L.coshm, L.sinhm, L.tanhm):
    _name = f"linalg.{_function.__name__}"
    sample(_name, lambda a, f=_function: f(a / 2), array(3, 3))
    sample(_name, lambda a, f=_function: f(a / 2), array(2, 3, 3), label="stack")
for _function in (L.sqrtm, L.signm):
    _name = f"linalg.{_function.__name__}"
    sample(_name, _function, array(4, 4, domain=well))
    sample(_name, _function, array(2, 3, 3, domain=well), label="stack")
sample("linalg.sqrtm", lambda a: L.sqrtm(-a), array(3, 3, domain=well), label="complex root")
sample("linalg.signm", L.signm, array(3, 3, domain=indefinite), label="both signs")

sample("linalg.logm", L.logm, array(4, 4, domain=well))
sample("linalg.logm", L.logm, array(2, 3, 3, domain=well), label="stack")
sample("linalg.logm", lambda a: L.logm(-a), array(3, 3, domain=well), label="complex logarithm")
for _power in (0.3, -1.7, 2.5):
    sample(
        "linalg.fractional_matrix_power",
        lambda a, t, p=_power: L.fractional_matrix_power(a, p + 0.1 * np.real(t)),
        array(3, 3, domain=well),
        array(),
        label=str(_power),
    )
sample("linalg.fractional_matrix_power", lambda a: L.fractional_matrix_power(a, 0.5), array(2, 3, 3, domain=well))
sample("linalg.fractional_matrix_power", lambda a: L.fractional_matrix_power(a, -2), array(2, 3, 3, domain=well))


def hermitian(a):
    return a @ np.conj(np.swapaxes(a, -1, -2)) + a + np.conj(np.swapaxes(a, -1, -2))


for _solve in (L.solve_continuous_are, L.solve_discrete_are):
    _name = f"linalg.{_solve.__name__}"

    def _plain(a, b, q, r, solve=_solve):
        return solve(a, b, hermitian(q) + hermitian(q) @ hermitian(q), hermitian(r) @ hermitian(r) + hermitian(r))

    def _general(a, b, q, r, e, s, solve=_solve):
        return solve(a, b, hermitian(q), hermitian(r), e, s / 10, balanced=False)

    sample(_name, _plain, array(3, 3), array(3, 2), array(3, 3), array(2, 2, domain=well))
    sample(_name, _plain, array(2, 3, 3), array(3, 2), array(3, 3), array(2, 2, domain=well), label="stack")
    sample(
        _name,
        _general,
        array(3, 3),
        array(3, 2),
        array(3, 3, domain=well),
        array(2, 2, domain=well),
        array(3, 3, domain=well),
        array(3, 2),
        label="e and s",
    )


def _smooth(z):
    return np.exp(z / 2) / (z + 9)


sample("linalg.funm", lambda a: L.funm(a, _smooth), array(4, 4))
sample("linalg.funm", lambda a: L.funm(a, _smooth), array(2, 3, 3), label="stack")
sample("linalg.funm", lambda a, p: L.funm(a, lambda z: (z + 9) ** p), array(3, 3), array(), label="parameter")
