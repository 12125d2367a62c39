"""Where a special function has no derivative but nothing depends on it, the gradient is 0, as of NumPy's functions."""

from __future__ import annotations

import numpy as np
import pytest

from wirtinger import grad, hessian, hvp, jacobian, jvp, special
from wirtinger.special.ufuncs.ufunc_rules import RULES, constant

PLACES = np.array([False, True, True])


def points(name):
    """Three points inside the domain, as far as one range does, of which the first is not used."""
    columns = list(np.random.default_rng(0).uniform(0.2, 0.8, (getattr(special, name).nin, 3)))
    if name in ("bdtr", "bdtrc", "bdtri"):
        columns[1] = np.full(3, 5)
    return columns


def loss_of(f, args, i):
    """What depends on the last two elements of every output alone, of one argument."""

    def loss(x):
        w = f(*args[:i], x, *args[i + 1 :])
        parts = w if isinstance(w, tuple) else (w,)
        return sum((k + 1) * np.sum(np.abs(np.where(PLACES, part, 0.0)) ** 2) for k, part in enumerate(parts))

    return loss


LEFT_OUT = ("pro_", "obl_", "mathieu_", "eval_hermite")
"""The first end the process in SciPy when they meet a NaN; the last take integer degrees."""
PAIRS = [
    (f.__name__, i)
    for f, rule in RULES.items()
    for i, partial in enumerate(rule.partials)
    if callable(partial) and partial is not constant and not f.__name__.startswith(LEFT_OUT)
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "i"), sorted(PAIRS))
def test_an_element_that_nothing_depends_on(name, i):
    args = points(name)
    args[i][0] = np.nan
    loss = loss_of(getattr(special, name), args, i)
    gradient = grad(loss)(args[i])
    assert gradient[0] == 0
    np.testing.assert_allclose(
        jvp(loss, (args[i],), (np.array([1.0, 2.0, -1.0]),))[1], gradient @ [1.0, 2.0, -1.0], rtol=1e-12
    )


DERIVATIVES = {
    "grad": grad,
    "forward": lambda f: jacobian(f, mode="forward"),
    "hessian": hessian,
    "reverse over reverse": lambda f: jacobian(grad(f), mode="reverse"),
    "hvp": lambda f: lambda x: hvp(f, (x,), (np.array([1.0, 2.0, 3.0])[-len(x) :],)),
    "reverse over forward": lambda f: grad(lambda x: jvp(f, (x,), (np.array([1.0, 2.0, 3.0])[-len(x) :],))[1]),
}
X = np.array([0.0, 0.3, 0.6])

# each with a loss that is equal to it and has no pole at 0
LOSSES = {
    "pole in the argument": (
        lambda x: np.sum(np.where(x > 0, special.betainc(0.5, 0.7, x), 0.0) ** 2),
        lambda x: np.sum(special.betainc(0.5, 0.7, x) ** 2),
    ),
    "outside of the domain": (
        lambda x: np.sum(np.where(x > 0, special.betainc(x - 0.1, 0.7, 0.4), 0.0) ** 2),
        lambda x: np.sum(special.betainc(x - 0.1, 0.7, 0.4) ** 2),
    ),
    "pole of the second derivative": (
        lambda x: np.sum(np.where(x > 0, special.betainc(1.5, x, x), 0.0) ** 2),
        lambda x: np.sum(special.betainc(1.5, x, x) ** 2),
    ),
    "one of two outputs": (
        lambda x: np.sum(special.sici(x)[0]) + np.sum(np.where(x > 0, special.sici(x)[1], 0.0) ** 2),
        lambda x: np.sum(special.sici(x)[0]) + np.sum(special.sici(x[-2:])[1] ** 2),
    ),
    "inverse": (
        lambda x: np.sum(np.where(x > 0, special.nctdtrit(3.0, 0.4, x), 0.0)),
        lambda x: np.sum(special.nctdtrit(3.0, 0.4, x)),
    ),
    "better values": (
        lambda x: np.sum(np.where(x > 0, special.stdtridf(x, -np.sqrt(x)), 0.0)),
        lambda x: np.sum(special.stdtridf(x, -np.sqrt(x))),
    ),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("derivative", DERIVATIVES.values(), ids=DERIVATIVES)
@pytest.mark.parametrize("pair", LOSSES.values(), ids=LOSSES)
def test_what_nothing_depends_on_has_derivative_zero(pair, derivative):
    loss, smooth = pair
    needs_all = "sici" in smooth.__code__.co_names
    found, expected = derivative(loss)(X), derivative(smooth)(X if needs_all else X[1:])
    rest = found if needs_all else found[(slice(1, None),) * found.ndim]
    np.testing.assert_allclose(rest, expected, rtol=1e-11, atol=1e-13)
    assert needs_all or (np.all(found[0] == 0) and np.all(found[..., 0] == 0))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_true_poles_and_nan_stay():
    gradient = grad(lambda x: np.sum(special.betainc(0.5, 0.7, x)))(np.array([0.0, 0.5]))
    assert gradient[0] == np.inf
    gradient = grad(lambda x: np.sum(special.betainc(0.5, 0.7, np.sqrt(x) ** 2)))(np.array([np.nan, 0.5]))
    assert np.isnan(gradient[0])
    assert np.isfinite(gradient[1])


def test_carlsons_integral_of_one_root():
    """`RG(x, 0, 0) = sqrt(x) / 2`, DLMF 19.20.4; the derivatives in the others are infinite."""
    derivatives = [grad(special.elliprg, i)(2.0, 0.0, 0.0) for i in range(3)]
    np.testing.assert_allclose(derivatives, [0.25 / np.sqrt(2.0), np.inf, np.inf], rtol=1e-15)
    second = grad(grad(lambda x: special.elliprg(x, 0.0, 0.0)))(2.0)
    np.testing.assert_allclose(second, -0.125 * 2.0**-1.5, rtol=1e-14)
