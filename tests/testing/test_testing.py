"""The kit for tests of derivatives: many digits, strategies, a suite for another project, the plugin."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import wirtinger as np
from wirtinger import custom_primitive, special
from wirtinger.testing import check_gradient, check_rule, gradient_suite
from wirtinger.testing.strategies import (
    LAYOUTS,
    arrays,
    branch_points,
    hermitian_matrices,
    matrices,
    shapes,
    stacks,
)

FEW = settings(max_examples=15, deadline=None)


def test_numpys_names_are_numpys():
    for name in numpy.testing.__all__:
        assert getattr(np.testing, name) is getattr(numpy.testing, name)


def names(report):
    return [check.name for check in report.checks]


def test_many_digits_are_compared():
    report = check_gradient(lambda a, b: np.linalg.solve(a, b), np.eye(2) + 0.5j, np.array([1.0, 2.0]))
    assert report
    assert names(report)[-2:] == ["forward, 50 digits", "reverse, 50 digits"]
    assert report.checks[-1].error < 1e-15
    assert names(check_gradient(np.sin, 0.3, digits=30))[-1] == "reverse, 30 digits"
    assert "digits" not in " ".join(names(check_gradient(np.sin, 0.3, digits=None)))


def test_digits_that_are_too_few():
    with pytest.raises(ValueError, match="digits=14 must be at least 15, or None"):
        check_gradient(np.sin, 1.0, digits=14)
    assert check_gradient(np.sin, 1.0, digits=15)


def test_digits_find_a_derivative_that_is_nearly_right():
    @custom_primitive
    def nearly(x):
        return np.sin(x)

    @nearly.differential
    def _(y, x, dx):
        return (1 + 1e-8) * np.cos(x) * dx

    found = check_gradient(nearly, np.array([0.3, 1.2]), order=1, raise_exception=False)
    assert not found
    assert [check.name for check in found.checks if not check.passed] == ["forward, 50 digits", "reverse, 50 digits"]


def test_what_is_left_out_is_said():
    report = check_gradient(lambda x: special.ellipj(x, 0.3)[0], 0.5)
    assert report
    (reason,) = report.left_out
    assert "50 digits" in reason
    assert f"left out: {reason}" in str(report)


def test_single_precision_has_its_tolerance():
    assert check_gradient(lambda x: np.sum(np.exp(x)), np.array([0.3, 1.2], np.float32))


def test_trees_and_several_arguments():
    assert check_gradient(lambda p, s: s * np.sum(p["a"] * p["b"][0]), {"a": np.ones(3), "b": [np.arange(3.0)]}, 2.0)


@pytest.mark.parametrize("constant", [3.0, 3 + 1j])
def test_a_number_of_python_is_a_constant(constant):
    assert check_gradient(lambda x: constant, np.ones(2))
    assert np.gradcheck(lambda x: (x**2, constant), np.ones(2))
    with pytest.raises(np.GradcheckError, match="FAILED"):  # a number that only looks so
        np.gradcheck(lambda x: float(np.stop_gradient(x)) ** 2, 2.0)


def test_a_result_that_is_no_floating_point_number():
    for f in (lambda x: 3, lambda x: None, lambda x: np.argmax(x)):
        with pytest.raises(TypeError, match=r"floating-point result, and this one returned \w+\. Return the number"):
            check_gradient(f, np.ones(2))


def test_a_failure_shows_the_report():
    with pytest.raises(np.GradcheckError, match=r"FAILED  forward against differences"):
        check_gradient(lambda x: np.stop_gradient(x) * x, np.array([2.0]))


@FEW
@given(arrays(layout=None))
def test_arrays(a):
    assert a.dtype in (numpy.float64, numpy.complex128)
    assert a.ndim <= 3
    assert numpy.isfinite(a).all()


@FEW
@given(arrays((2, 3), numpy.complex64, scale=0.1, center=5 + 1j), st.sampled_from(sorted(LAYOUTS)))
def test_layouts_have_the_same_numbers(a, name):
    laid_out = LAYOUTS[name](a)
    numpy.testing.assert_array_equal(laid_out, a)
    assert laid_out.dtype == a.dtype == numpy.complex64
    expected = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS"}.get(name)
    assert expected is None or laid_out.flags[expected]
    assert (name == "unaligned") == (not laid_out.flags.aligned)
    assert (name == "read-only") == (not laid_out.flags.writeable)
    assert abs(a.mean() - (5 + 1j)) < 0.5


@FEW
@given(shapes(min_ndim=1, max_ndim=2, min_side=2), stacks())
def test_shapes(shape, stack):
    assert 1 <= len(shape) <= 2
    assert all(2 <= n <= 4 for n in shape)
    assert len(stack) <= 2


@FEW
@given(matrices(3, 5, condition=1e5, stack=stacks()), matrices(2, condition=numpy.inf))
def test_matrices_have_their_condition(a, singular):
    assert a.shape[-2:] == (3, 5)
    if a.size:
        numpy.testing.assert_allclose(numpy.linalg.cond(a), 1e5, rtol=1e-6)
    assert numpy.linalg.cond(singular) > 1e15


@FEW
@given(hermitian_matrices(4, gaps=(0.0, 1e-3)))
def test_spectra_have_their_gaps(a):
    numpy.testing.assert_array_equal(a, numpy.conj(a.T))
    gaps = numpy.diff(numpy.linalg.eigvalsh(a))
    assert (numpy.minimum(abs(gaps), abs(gaps - 1e-3)) < 1e-12).all()


@FEW
@given(
    st.sampled_from([("negative", numpy.log), ("beyond one", numpy.arctanh), ("imaginary", numpy.arctan)]), st.data()
)
def test_branch_points_lie_on_cuts(cut, data):
    on, function = cut
    z = data.draw(branch_points((3,), on=on))
    flipped = z.copy()
    if on == "imaginary":
        flipped.real = -flipped.real
    else:
        flipped.imag = -flipped.imag
    assert (z == flipped).all()
    assert (function(z) != function(flipped)).all()


def test_a_cut_that_does_not_exist():
    with pytest.raises(ValueError, match="beyond one"):
        find(branch_points(on="positive"), lambda z: True)


test_suite = gradient_suite(
    (np.tanh, arrays(dtype=complex)),
    (np.linalg.eigvalsh, hermitian_matrices(3, gaps=(0.1, 1.0))),
    (np.linalg.inv, matrices(3, condition=10.0)),
    (lambda a, b: a @ b, numpy.ones((2, 3)), arrays((3,), float)),
    examples=2,
)


@pytest.mark.parametrize("operation", [np.linalg.cholesky, np.fft.fft])
def test_operations_of_the_package_are_checked_alike(operation):
    a = numpy.array([[4.0, 1.0], [1.0, 3.0]])
    assert check_rule(operation, a, stacks=True, order=1)


PROJECT = """
from wirtinger.testing import gradient_suite
from wirtinger.testing.strategies import arrays
import numpy as np
wrong = lambda z: np.conj(z) * __import__("wirtinger").stop_gradient(z)
test_gradients = gradient_suite((np.exp, arrays((2,), complex)), (wrong, arrays((2,), complex)), examples=2)
def test_here(check_gradient):
    from wirtinger import special
    assert len(check_gradient(np.sin, 0.3).checks) == 11 - 2 * NO_DIGITS
    check_gradient(special.itstruve0, 0.3)
"""


@pytest.mark.parametrize("digits", [50, 0])
def test_a_suite_of_another_project(tmp_path, digits):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["wirtinger.testing.plugin"]\n')
    (tmp_path / "test_project.py").write_text(PROJECT.replace("NO_DIGITS", str(int(digits == 0))))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--gradient-digits={digits}",
        str(tmp_path),
    ]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "1 failed, 2 passed" in found.stdout, found.stdout
    assert "FAILED  " in found.stdout
    assert ("wirtinger: left out of test_project.py::test_here: 50 digits" in found.stdout) == (digits == 50)


@pytest.mark.parametrize("size", [1e-20, 1e20, 1e150])
def test_digits_reach_any_scale(size):
    """The step follows the size of the elements, and the digits their range."""
    x = size * np.array([1.0, 2.0, -0.5])
    for f in (lambda x: np.sum(np.log(np.abs(x))), lambda x: np.sum((x / size) ** 3), lambda x: x / np.max(np.abs(x))):
        report = check_gradient(lambda x, f=f: f(x) * size, x, order=1, raise_exception=False)
        assert all(check.passed for check in report.checks if "digits" in check.name), report
        assert not report.left_out
    assert check_gradient(lambda x, y: x * y, 1e150, 1e-150, order=1)


def test_an_iteration_that_ends_at_a_tolerance_is_left_out():
    def root(a):
        x = a / 2 + 0.5
        while abs(x * x - a) > 1e-9:
            x = (x + a / x) / 2
        return x

    def halved(a):
        low, high = 0.0 * a, 1.0 + a
        while high - low > 1e-15:
            middle = (low + high) / 2
            low, high = (middle, high) if middle**3 < a else (low, middle)
        return middle

    assert check_gradient(root, 2.0)
    report = check_gradient(np.implicit(lambda x, a: x**3 - a)(halved), 2.0)
    assert len(report.left_out) == 1


test_eigenvalues = gradient_suite((np.linalg.eigvalsh, hermitian_matrices()), examples=3)


def test_signs_that_are_free_are_left_out():
    """mpmath's eigenvectors have other signs than LAPACK's."""
    a = numpy.array([[2.0, 1.0], [1.0, 3.0]])
    report = check_gradient(lambda a: np.linalg.eigh(a)[1], a)
    assert report.left_out or report.checks[-1].passed


@pytest.mark.parametrize("cases", [(), (np.sin,), (("sin", 1.0),), ((),)], ids=["none", "bare", "text", "empty"])
def test_a_suite_of_no_cases(cases):
    with pytest.raises(TypeError, match=r"\(function, \*arguments\)"):
        gradient_suite(*cases)


def test_cases_of_a_suite_have_the_same_names_in_every_process():
    """`pytest-xdist` refuses names that differ, as the text of a bound method does."""

    class Called:
        def __call__(self, x):
            return x

        def method(self, x):
            return x

    found = gradient_suite((partial(Called().method), 1.0), (Called(), 1.0), (np.tanh, 1.0))
    (mark,) = [mark for mark in found.pytestmark if mark.name == "parametrize"]
    assert [mark.kwargs["ids"](case) for case in mark.args[1]] == ["method", "Called", "tanh"]
