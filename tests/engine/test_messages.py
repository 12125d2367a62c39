"""What refuses names who lost a traced value, the line, and one remedy; what a report of an error needs is printed."""

from __future__ import annotations

import cmath
import collections
import importlib
import json
import math
import pydoc
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy
import pytest
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.sparse.linalg
import scipy.special
import scipy.stats
from numpy.testing import assert_allclose

import wirtinger as wp
from wirtinger import (
    CauchyRiemannError,
    DifferentiationError,
    TraceError,
    custom_primitive,
    grad,
    hessian,
    holomorphic_grad,
    jacobian,
    jvp,
    optimize,
    special,
    vjp,
)

X = numpy.arange(1.0, 4.0)
A = numpy.diag([1.0, 2.0, 3.0]) + 0.1
CSR = scipy.sparse.csr_array(A)
LU = scipy.sparse.linalg.splu(CSR.tocsc())
RNG = numpy.random.default_rng(0)

# What is written here; who is named; what to do instead.
REFUSED = {
    "scipy.linalg": (lambda x: scipy.linalg.expm(wp.outer(x, x)), "scipy.linalg.expm", "Call wirtinger.linalg.expm."),
    "scipy.fft": (lambda x: scipy.fft.fft(x), "scipy.fft.fft", "Call wirtinger.fft.fft."),
    "no twin": (lambda x: scipy.fft.dct(x), "scipy.fft.dct", "from wirtinger.scipy import fft"),
    "scipy.special": (lambda x: scipy.special.logsumexp(x), "scipy.special.logsumexp", "wirtinger.special.logsumexp"),
    "a ufunc without a rule": (lambda x: scipy.special.zeta(x), "scipy.special.zeta", "Call wirtinger.special.zeta."),
    "lapack": (lambda x: scipy.linalg.lapack.dpotrf(wp.outer(x, x)), "scipy.linalg.lapack.dpotrf", "custom_primitive"),
    "solve_ivp": (
        lambda x: scipy.integrate.solve_ivp(lambda t, y: -x * y, (0, 1), X),
        "scipy.integrate.solve_ivp",
        "from wirtinger.scipy import integrate",
    ),
    "quad": (
        lambda x: scipy.integrate.quad(lambda t: t * x[0], 0, 1),
        "scipy.integrate.quad",
        "from wirtinger.scipy import integrate",
    ),
    "spline": (lambda x: scipy.interpolate.CubicSpline(X, x), "scipy.interpolate.CubicSpline", "wirtinger.scipy"),
    "density": (lambda x: scipy.stats.norm.logpdf(x), "scipy.stats.norm.logpdf", "wirtinger.scipy"),
    "random numbers": (lambda x: RNG.normal(x), "numpy.random.Generator.normal", "standard_normal"),
    "sparse.multiply": (lambda x: CSR.multiply(x), "scipy.sparse.csr_array.multiply", "A * x"),
    "splu(A).solve": (lambda x: LU.solve(x), "SuperLU.solve", "wirtinger.scipy.sparse.linalg"),
    "spsolve": (lambda x: scipy.sparse.linalg.spsolve(CSR, x), "scipy.sparse.linalg.spsolve", "wirtinger.scipy.sparse"),
    "linear operator": (
        lambda x: x @ scipy.sparse.linalg.aslinearoperator(A),
        "scipy.sparse.linalg.MatrixLinearOperator",
        "wirtinger.linalg",
    ),
    "diags": (lambda x: scipy.sparse.diags(x), "scipy.sparse.diags", "wirtinger.scipy.sparse"),
    "eigsh": (lambda x: scipy.sparse.linalg.eigsh(wp.outer(x, x), 1), "scipy.sparse.linalg.eigsh", "wirtinger.linalg"),
    "splu": (lambda x: scipy.sparse.linalg.splu(wp.outer(x, x)), "scipy.sparse.linalg.splu", "wirtinger.linalg"),
    "fsolve": (lambda x: scipy.optimize.fsolve(lambda y: y - x[0], 1.0), "scipy.optimize.fsolve", "wirtinger.scipy"),
    "leastsq": (lambda x: scipy.optimize.leastsq(lambda y: y - x, X), "scipy.optimize.leastsq", "wirtinger.scipy"),
    "lfilter": (
        lambda x: scipy.signal.lfilter(x, [1.0], X),
        "scipy.signal.lfilter",
        "from wirtinger.scipy import signal",
    ),
    "lfilter in a": (
        lambda x: scipy.signal.lfilter([1.0], x, X),
        "scipy.signal.lfilter",
        "from wirtinger.scipy import signal",
    ),
    ".dot": (lambda x: A.dot(x), "the method dot of a plain array", "wirtinger.dot(A, x)"),
    ".clip": (lambda x: A.clip(x[0], x[1]), "the method clip of a plain array", "wirtinger.clip(A, x[0], x[1])"),
    ".fill": (lambda x: numpy.ones(3).fill(x[0]), "the method fill of a plain array", "wirtinger.zeros"),
    "a write": (lambda x: numpy.zeros(3).__setitem__(0, x[0]), "__setitem__", "wirtinger.zeros"),
    "asarray": (lambda x: numpy.asarray(x), "numpy.asarray", "Call wirtinger.asarray."),
    "a list": (lambda x: numpy.sin([x[0], x[1]]), "numpy.sin", "wirtinger.array(...)"),
    "math": (lambda x: math.sin(x[0]), "math.sin", "Call wirtinger.sin."),
    "math, special": (lambda x: math.erf(x[0]), "math.erf", "Call wirtinger.special.erf."),
    "math, without a protocol": (lambda x: math.trunc(x[0]), "math.trunc", "Call wirtinger.trunc."),
    "cmath": (lambda x: cmath.exp(x[0]), "cmath.exp", "Call wirtinger.exp."),
    "float": (lambda x: float(x[0]), "float", "Leave it as it is"),
    "int": (lambda x: int(x[0]), "int", "Leave it as it is"),
    "float64": (lambda x: numpy.float64(x[0]), "numpy.float64", "Leave it as it is"),
    "float32": (lambda x: numpy.float32(x), "numpy.float32", "x.astype(wirtinger.float32)"),
    "complex128": (lambda x: numpy.complex128(x[0]), "numpy.complex128", "x.astype(wirtinger.complex128)"),
    "struct": (lambda x: struct.pack("d", x[0]), "struct.pack", "only accepts plain values"),
    "json": (lambda x: json.dumps({"x": x[0]}), "json.dumps", "only accepts plain values"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_culprit_the_line_and_the_remedy_are_named(name):
    function, culprit, remedy = REFUSED[name]
    with pytest.raises(DifferentiationError) as caught:
        vjp(function, X)
    text = str(caught.value)
    line = function.__code__.co_firstlineno
    assert culprit in text
    assert remedy in text
    assert "test_messages.py, line " in text
    assert line <= int(text.partition("test_messages.py, line ")[2].partition(":")[0]) <= line + 4
    assert text.count("Call ") + text.count("custom_primitive") <= 1


def test_a_write_into_a_plain_array_is_one():
    def f(x):
        buffer = numpy.zeros(3)
        buffer[1] = x[0]
        return buffer

    with pytest.raises(TraceError, match=r"by a write into an array .*`buffer\[1\]`.*wirtinger\.zeros"):
        vjp(f, X)


def test_where_the_function_is_not_the_users_the_call_of_the_transform_is_shown():
    with pytest.raises(TraceError, match=r"by scipy\.special\.softmax,.*`vjp\(scipy\.special\.softmax, X\)`.*Call"):
        vjp(scipy.special.softmax, X)


def test_the_innermost_line_of_the_user_counts():
    with pytest.raises(TraceError, match=r"by math\.exp,.*`math\.exp\(-x\[0\]\)`"):
        vjp(lambda x: scipy.integrate.quad(lambda t: t * math.exp(-x[0]), 0, 1), X)


def test_errors_that_have_nothing_to_do_with_traced_values_stay():
    for function, kind, text in (
        (lambda x: scipy.linalg.expm(numpy.ones((2, 3))), ValueError, "square"),
        (lambda x: numpy.linalg.cholesky(-numpy.eye(2)) * x[0], numpy.linalg.LinAlgError, "positive definite"),
        (lambda x: wp.reshape(x, (2, 2)), ValueError, "reshape"),
        (lambda x: x @ numpy.ones(5), ValueError, "mismatch"),
        (lambda x: scipy.special.comb(), TypeError, "missing"),
        (lambda x: json.loads(f"{{{x}"), json.JSONDecodeError, "property name"),
        (lambda x: len(3), TypeError, "no len"),
    ):
        with pytest.raises(kind, match=text) as caught:
            vjp(function, X)
        assert not isinstance(caught.value, DifferentiationError)
        assert not getattr(caught.value, "__notes__", [])


def test_errors_of_other_kinds_are_given_a_note():
    with pytest.raises(RuntimeError, match=r"Unable to parse[\s\S]*was passed to scipy\.optimize\.brentq"):
        vjp(lambda x: scipy.optimize.brentq(lambda t: t, -x[0], 2.0), X)


SCANNED = ("scipy.fft", "scipy.interpolate", "scipy.linalg", "scipy.sparse", "math", "cmath")
SCANNED_TOO = ("scipy.integrate", "scipy.ndimage", "scipy.signal", "scipy.special")


@pytest.mark.parametrize("module", [*SCANNED, *(pytest.param(m, marks=pytest.mark.exhaustive) for m in SCANNED_TOO)])
@pytest.mark.parametrize("count", [1, 2])
def test_what_a_public_function_refuses_names_it(module, count):
    package, refused = importlib.import_module(module), 0
    x = numpy.array([[2.0, 1.0], [1.0, 3.0]])
    for name in getattr(package, "__all__", dir(package)):
        function = getattr(package, name)
        if not callable(function) or (isinstance(function, type) and issubclass(function, BaseException)):
            continue

        def call(x, function=function):
            function(*[x] * count)
            return x

        try:
            with warnings.catch_warnings(), numpy.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                vjp(call, x if package not in (math, cmath) else 0.5)
        except DifferentiationError as error:
            text = str(error)
            refused += 1
            assert "`function(*[x] * count)`" in text, text
            assert ". " in text.partition("`)")[2]
        except Exception:  # of the number of arguments, say
            continue
    assert refused > (5 if module != "cmath" or count == 1 else -1)


def test_holomorphic_grad_nests():
    z = 0.3 + 1j
    d = holomorphic_grad
    assert_allclose(d(d(wp.exp))(z), numpy.exp(z), rtol=1e-14)
    assert_allclose(d(d(d(wp.sin)))(z), -numpy.cos(z), rtol=1e-14)
    assert_allclose(grad(lambda z: wp.real(d(wp.exp)(z)))(z), numpy.conj(numpy.exp(z)), rtol=1e-14)
    assert_allclose(jvp(d(wp.exp), (z,), (2.0j,))[1], 2j * numpy.exp(z), rtol=1e-14)
    assert_allclose(vjp(d(wp.exp), z)[1](1.0)[0], numpy.conj(numpy.exp(z)), rtol=1e-14)
    assert_allclose(jacobian(d(wp.exp))(z).dz, numpy.exp(z), rtol=1e-14)
    with pytest.raises(CauchyRiemannError):
        d(d(lambda z: z * wp.abs(z) ** 2))(z)


@pytest.mark.parametrize("x", [2.0, numpy.array([1.0, 2.0]), 1 + 2j])
def test_a_number_may_stand_before_a_tangent(x):
    @custom_primitive
    def triple(a):
        return 3.0 * a

    @triple.differential
    def _(w, a, da):
        return 3.0 * da

    assert_allclose(vjp(triple, x)[1](numpy.ones_like(x))[0], 3.0 * numpy.ones_like(x), rtol=1e-15)
    assert_allclose(jvp(triple, (x,), (x,))[1], 3.0 * numpy.asarray(x), rtol=1e-15)


def test_a_traced_keyword_is_named():
    @custom_primitive
    def power(a, exponent=2.0):
        return a**exponent

    @power.differential
    def _(w, a, da, exponent=2.0):
        return exponent * a ** (exponent - 1) * da

    assert grad(power)(3.0) == 6.0
    for f in (lambda x: power(x, exponent=x), lambda x: power(2.0, exponent=x)):
        with pytest.raises(TraceError, match=r"power was given a traced value by keyword, exponent=.*by position"):
            grad(f)(3.0)


def test_lists_of_numbers_are_arrays_for_the_solvers():
    def loss(x):
        return wp.sum((wp.sin(x) - 0.25) ** 2)

    expected = [math.asin(0.25), math.pi - math.asin(0.25)]
    assert_allclose(optimize.minimize(loss, [0.2, 2.8]).x, expected, atol=1e-5)
    assert_allclose(optimize.minimize(loss, [0, 3], bounds=[(0, 0.1), (0, 4)]).x[0], 0.1, atol=1e-12)
    assert_allclose(optimize.least_squares(lambda x: wp.sin(x) - 0.25, [0.2, 2.8]).x, expected, rtol=1e-7)
    assert_allclose(optimize.root(lambda z: z**2 + 1, [0.1 + 0.9j, -0.1 - 0.8j]).x, [1j, -1j], atol=1e-9)
    tree = optimize.minimize(lambda p: wp.sum(p[0] ** 2) + (p[1] - 1) ** 2, [numpy.ones(2), 3.0]).x
    assert isinstance(tree, list)
    assert_allclose(tree[1], 1.0, atol=1e-6)


def test_a_list_that_a_ufunc_takes_is_to_be_an_array():
    assert grad(lambda x: wp.sum(x))([1.0, 2.0]) == [1.0, 1.0]  # a tree of two numbers
    with pytest.raises(TraceError, match=r"`wp\.sin\(x\)`\)\. Make the list an array first"):
        grad(lambda x: wp.sum(wp.sin(x)))([1.0, 2.0])


def test_dicts_of_every_kind_are_trees():
    for tree in (
        {"a": 2.0},
        collections.defaultdict(lambda: 5.0, a=2.0),
        collections.OrderedDict(a=2.0),
        collections.Counter(a=2.0),
    ):
        found = grad(lambda d: d["a"] ** 2)(tree)
        assert type(found) is type(tree)
        assert found == {"a": 4.0}
        assert tree == {"a": 2.0}
    assert grad(lambda d: d["a"] * d["b"])(collections.defaultdict(lambda: 5.0, a=2.0)) == {"a": 5.0}


@pytest.mark.parametrize("M", [0, 1, 2, 5, 8])
def test_kaiser_in_its_parameter(M):
    beta, e = 2.5, 1e-5
    window, derivative = jvp(lambda b: wp.kaiser(M, b), (beta,), (1.0,))
    assert_allclose(window, numpy.kaiser(M, beta), rtol=1e-15)
    s = numpy.sqrt(1 - numpy.linspace(-1, 1, M) ** 2) if M > 1 else numpy.ones(M)
    i0, i1 = scipy.special.i0(beta), scipy.special.i1(beta)
    assert_allclose(derivative, (scipy.special.i1(beta * s) * s - window * i1) / i0, atol=1e-14)

    def loss(b):
        return wp.sum(wp.kaiser(M, b) ** 2)

    if M > 1:
        difference = (grad(loss)(beta + e) - grad(loss)(beta - e)) / (2 * e)
        assert_allclose(hessian(loss)(beta), difference, rtol=1e-7, atol=1e-9)


def test_names_that_are_nowhere_are_missed_under_our_name():
    with pytest.raises(AttributeError, match=r"module 'wirtinger' has no attribute 'pmap'. Call vmap"):
        _ = wp.pmap
    with pytest.raises(AttributeError, match=r"^module 'wirtinger' has no attribute 'nowhere'$"):
        _ = wp.nowhere
    assert not hasattr(wp, "pmap")


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("solve", "It is linalg.solve."),
        ("expm", "It is linalg.expm."),
        ("jv", "It is special.jv."),
        ("numpy", "wirtinger is itself NumPy's namespace: import wirtinger as np."),
        ("make_vjp", "Call vjp(f, x)."),
    ],
)
def test_names_of_other_packages_are_said_to_be_elsewhere(name, instead):
    assert callable(wp.linalg.expm)
    assert callable(wp.special.jv)  # both packages are imported on first use
    with pytest.raises(AttributeError) as caught:
        getattr(wp, name)
    assert str(caught.value) == f"module 'wirtinger' has no attribute '{name}'. {instead}"
    assert getattr(caught.value, "obj", None) is None  # so that Python guesses no other name


def test_help_of_a_special_function_begins_with_its_derivatives():
    page = pydoc.render_doc(special.jv, renderer=pydoc.plaintext)
    assert "Spread" not in page
    assert page.splitlines()[0].endswith((": ufunc", ": method descriptor jv"))  # later Pythons: it has `__get__`
    assert page.index("Derivatives") < page.index("Parameters") < page.index("Returns")
    assert "v : in forward and reverse mode" in page


def test_the_report():
    report = subprocess.run([sys.executable, "-m", "wirtinger"], capture_output=True, text=True, check=True).stdout
    rows = dict(line.split(maxsplit=1) for line in report.splitlines())
    assert rows["wirtinger"].startswith(wp.__version__)
    assert rows["NumPy"].startswith(numpy.__version__)
    assert {"Python", "SciPy", "cores", "threads", "kernels", "CUDA", "determinism", "platform"} <= set(rows)
    assert "blas" in rows["NumPy"].lower() or "mkl" in rows["NumPy"].lower()
    assert (Path(rows["documentation"]) / "special.md").exists()
    assert rows["determinism"] == "level none in force"


def test_a_difference_with_a_sparse_matrix_is_dense():
    """SciPy makes the matrix dense and asks NumPy to subtract, who asks us."""
    x = wp.arange(float(A.size)).reshape(A.shape)
    dense = CSR.toarray()
    numpy.testing.assert_array_equal(grad(lambda x: wp.sum((x - CSR) * x))(x), 2 * x - dense)
    numpy.testing.assert_array_equal(grad(lambda x: wp.sum((CSR - x) ** 2))(x), 2 * (x - dense))
