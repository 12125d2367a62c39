"""`where=` of the special functions: the chosen elements as without it, the others untouched.

SciPy's own loops write behind the arrays here, so nothing is compared with a masked call of SciPy's.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import special_draws
from wirtinger import grad, jvp, special, sum, zeros

COUNT = 200
EVERY_SECOND = np.arange(COUNT) % 2 == 0
NAMES = [name for name in special.__all__ if isinstance(getattr(special, name), np.ufunc)]
PLAIN = [name for name in NAMES if getattr(special, name).signature is None]


def loops(name):
    types = [kinds.split("->") for kinds in getattr(special, name).types]
    return [(inputs, outputs) for inputs, outputs in types if "g" not in inputs]


def inputs(kinds):
    dtypes = [np.dtype(kind) for kind in kinds]
    return [np.full(COUNT, 0.5 if dtype.kind in "fc" else 2, dtype) for dtype in dtypes]


@pytest.mark.parametrize("name", PLAIN)
def test_chosen_elements(name):
    f = getattr(special, name)
    for takes, gives in loops(name):
        args = inputs(takes)
        room = [np.full(4 * COUNT, -7, np.dtype(kind)) for kind in gives]
        outputs = tuple(x[:COUNT] for x in room)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # some do not like fractional orders
            f(*args, out=outputs, where=EVERY_SECOND)
            whole = f(*args)
        for x, exact, all_of_it in zip(outputs, whole if f.nout > 1 else (whole,), room, strict=True):
            np.testing.assert_array_equal(x[EVERY_SECOND], exact[EVERY_SECOND])
            np.testing.assert_array_equal(x[~EVERY_SECOND], -7)
            np.testing.assert_array_equal(all_of_it[COUNT:], -7)


CALLS = {
    "broadcast": lambda f: f(np.ones((2, 1)), out=None, where=np.ones((2, 3), bool)),
    "larger output": lambda f: f(1.0, out=np.zeros((2, 2)), where=[True, False]),
    "output by position": lambda f: f(np.ones(2), np.zeros(2), where=[True, False]),
    "dtype": lambda f: f([1.0, 2.0], dtype=np.float32, out=np.zeros(2), where=[True, False]),
    "signature": lambda f: f([1.0, 2.0], signature="f->f", out=np.zeros(2), where=[True, False]),
    "cast": lambda f: f([1.0, 2.0], out=np.zeros(2, np.float32), where=[True, False], casting="same_kind"),
    "order": lambda f: f(np.ones((2, 3)), out=None, where=np.ones(3, bool), order="F"),
    "number": lambda f: f(1.0, out=None, where=True),
    "nothing": lambda f: f([np.nan, 1.0], out=np.zeros(2), where=False),
    "empty": lambda f: f(np.ones((0, 2)), out=None, where=np.ones(2, bool)),
    "masked array": lambda f: f(np.ma.masked_less([1.0, 2.0], 1.5), out=None, where=[True, True]),
    "list of numbers": lambda f: f([1.0, 2.0], out=np.zeros(2), where=[1, 0]),
}


@pytest.mark.parametrize("case", CALLS)
def test_calls_are_like_numpys(case):
    ours, numpys = CALLS[case](special.erf), CALLS[case](np.sin)
    assert type(ours) is type(numpys)
    assert (ours.shape, ours.dtype, ours.flags.f_contiguous) == (numpys.shape, numpys.dtype, numpys.flags.f_contiguous)
    np.testing.assert_array_equal(ours == 0, numpys == 0)


WRONG = {
    "mask of numbers": (TypeError, lambda f: f([1.0, 2.0], out=None, where=np.array([1.0, 0.0]))),
    "shapes": (ValueError, lambda f: f([1.0, 2.0], out=None, where=[True, False, True])),
    "output too small": (ValueError, lambda f: f(np.ones((2, 2)), out=np.zeros(2), where=[True, False])),
    "output of integers": (TypeError, lambda f: f([1, 2], out=np.zeros(2, int), where=[True, False])),
    "two outputs": (TypeError, lambda f: f([1.0], np.zeros(1), out=np.zeros(1), where=[True])),
    "text": (TypeError, lambda f: f(["a"], out=None, where=[True])),
    "no output": (UserWarning, lambda f: f([1.0], where=[True])),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_fail_as_numpys_do(case):
    error, call = WRONG[case]
    for f in (special.erf, np.sin):
        with pytest.raises(error):
            call(f)


@pytest.mark.parametrize("name", ["jv", "nctdtr", "eval_legendre"])
def test_output_over_an_input(name):
    f = getattr(special, name)
    args = [np.array([3.4, 2.3]), np.array([0.3, 0.6]), np.array([0.7, 0.2])][-f.nin :]
    exact = f(*args)
    assert f(*args, out=args[-1]) is args[-1]
    np.testing.assert_array_equal(args[-1], exact)


def test_output_of_a_pair_over_an_input():
    a, x = np.array([0.4, 0.3]), np.array([1.2, 0.7])
    exact = special.pbwa(a, x)
    value, derivative = special.pbwa(a, x, out=(None, x))
    assert derivative is x
    np.testing.assert_array_equal([value, derivative], exact)


@pytest.mark.parametrize("name", ["erf", "eval_legendre"])
def test_gradient_is_zero_where_nothing_is_computed(name):
    f, first = getattr(special, name), (2.5,) if name == "eval_legendre" else ()
    x, chosen = np.array([0.3, 0.2]), np.array([True, False])
    masked = grad(lambda x: sum(f(*first, x, out=None, where=chosen)))(x)
    np.testing.assert_array_equal(masked, grad(lambda x: sum(f(*first, x)))(x) * chosen)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in special_draws.NAMES if special_draws.usual.continuous(name)])
def test_results_written_into_arrays_made_inside(name):
    f, args = getattr(special, name), special_draws.usual.arguments(name, 5)
    i, mask = special_draws.usual.continuous(name)[-1], np.array([True, False, True, True, False])
    dtypes = [w.dtype for w in special_draws.outputs(f(*args))]

    def written(x):
        whole, some = (tuple(zeros(5, dtype) for dtype in dtypes) for _ in range(2))
        found = f(*args[:i], x, *args[i + 1 :], out=whole if f.nout > 1 else whole[0])
        assert all(a is b for a, b in zip(special_draws.outputs(found), whole, strict=True))
        f(*args[:i], x, *args[i + 1 :], out=some, where=mask)
        return whole, some

    expected = jvp(lambda x: special_draws.outputs(f(*args[:i], x, *args[i + 1 :])), (args[i],), (np.ones(5),))
    for (whole, some), outputs in zip(jvp(written, (args[i],), (np.ones(5),)), expected, strict=True):
        for a, b, w in zip(whole, some, outputs, strict=True):
            np.testing.assert_allclose(a, w, rtol=1e-13)
            np.testing.assert_allclose(b, np.where(mask, w, 0), rtol=1e-13)


@pytest.mark.parametrize(
    ("name", "args", "beside"),
    [
        ("lpmv", (6.0, 4.648320174636859, 0.00607381615062557), (2.0, 1.5, 5.0)),
        ("lpmv", (6.0, 4.648320174636859, 0.00607381615062557), (2.0, 1.5, np.nan)),
        ("hyp0f1", (2.0, 0.5), (1e300, -np.inf)),
        ("betainc", (1e-3, 1e-3, 0.3), (1e-3, 1e-3, 1.0)),
        ("betainc", (1e-3, 1e-3, 0.3), (1e-3, 1e-3, np.nan)),
    ],
)
def test_an_element_does_not_depend_on_those_beside_it(name, args, beside):
    """Where those are NaN or infinite: values, derivatives, and derivatives of these."""
    function = getattr(special, name)

    def derivative(v, *rest):
        return jvp(lambda z: function(*rest[:-1], v, z), (rest[-1],), (np.ones_like(v),))[1]

    v, *rest = args[-2], *args[:-2], args[-1]
    both = [np.array(pair) for pair in zip((v, *rest), (beside[-2], *beside[:-2], beside[-1]), strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for f in (lambda v, *rest: function(*rest[:-1], v, rest[-1]), derivative):
            alone = jvp(lambda v, f=f: f(v, *map(np.array, rest)), (np.array(v),), (np.array(1.0),))
            found = jvp(lambda v, f=f: f(v, *both[1:]), (both[0],), (np.ones(2),))
            np.testing.assert_allclose([x[0] for x in found], alone, rtol=1e-12)
