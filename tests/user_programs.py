"""Programs as users of NumPy write them, each a function of the namespace and one array, to a real number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

__all__ = ["PROGRAMS"]

RANDOM = numpy.random.default_rng(42)
M5, V5, W20 = RANDOM.standard_normal((5, 5)), RANDOM.standard_normal(5), RANDOM.standard_normal(20)
C5 = M5 + 1j * RANDOM.standard_normal((5, 5))
POINTS, LABELS, IMAGES = RANDOM.standard_normal((30, 3)), RANDOM.standard_normal(30), RANDOM.standard_normal((2, 8, 8))
MASK, PLACES = RANDOM.uniform(size=(6, 6)) > 0.4, RANDOM.integers(0, 5, 20)

PROGRAMS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""By name: the program, and where to differentiate it."""


def program(*shape: int, dtype: type = float, positive: bool = False) -> Callable[[Any], Any]:
    """Add a program of an array of this shape."""

    def add(function: Any) -> Any:
        x = RANDOM.standard_normal(shape)
        if dtype is complex:
            x = x + 1j * RANDOM.standard_normal(shape)
        PROGRAMS[function.__name__] = function, abs(x) + 0.5 if positive else x
        return function

    return add


@program(4, 3)
def gravitation(np, start):
    q, v, mass = start.copy(), np.zeros((4, 3)), np.array([1.0, 2.0, 0.5, 1.5])
    for _ in range(5):
        d = q[:, None] - q[None]
        v += -0.01 * np.sum(mass[None, :, None] * d / (np.sum(d**2, -1) + 0.1)[..., None] ** 1.5, axis=1)
        q += 0.01 * v
    i, j = np.triu_indices(4, 1)
    return 0.5 * np.sum(mass * np.sum(v**2, 1)) - np.sum(mass[i] * mass[j] / np.linalg.norm(q[i] - q[j], axis=-1))


@program(16)
def heat_in_place(np, u):
    u = u.copy()
    for _ in range(8):
        u[1:-1] += 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] = 0.0
    return np.sum(u**2) + u[3] * u[5]


@program(6, 6)
def heat_into_a_buffer(np, u):
    laplacian = np.empty_like(u)
    for _ in range(3):
        laplacian[...] = 0
        laplacian[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        u = u + 0.1 * laplacian
    return np.sum(np.sin(u))


@program(4, 4)
def lattice_sum(np, s):
    neighbours = np.roll(s, 1, 0) + np.roll(s, -1, axis=1) + np.roll(s, (1, 2), (0, 1))
    return np.sum(np.tanh(s) * neighbours) + np.sum(np.roll(s, 3) * s)


@program(40)
def perceptron(np, p):
    w, b, out = p[:24].reshape(3, 8), p[24:32], p[32:40]
    h = np.maximum(POINTS @ w + b, 0) + 0.1 * np.tanh(POINTS @ w)
    return np.mean((h @ out - LABELS) ** 2) + 1e-2 * np.sum(p**2)


@program(2, 2, 3, 3)
def convolutional_network(np, kernels):
    windows = np.lib.stride_tricks.sliding_window_view(IMAGES, (3, 3), axis=(1, 2))
    y = np.einsum("cijab,ocab->oij", windows, kernels)
    return np.sum(np.logaddexp(0, np.maximum(y, 0.1 * y)).max(axis=(1, 2)))


@program(10)
def sliding_windows(np, x):
    windows = np.lib.stride_tricks.sliding_window_view(x, 4)
    return np.sum(np.var(windows, axis=1) * np.median(windows, axis=-1))


@program(5, 5)
def recurrent_network(np, w):
    h, states = np.zeros(5), []
    for t in range(6):
        h = np.tanh(w @ h + V5 * np.cos(t))
        states.append(h)
    whole = np.stack(states)
    return np.sum(whole[1:] * whole[:-1]) + np.array(states)[2, 3]


@program(3)
def kalman_filter(np, theta):
    f, h = np.array([[1.0, theta[0]], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    q, r = np.exp(theta[1]) * np.eye(2), np.exp(theta[2]) * np.eye(1)
    x, p, likelihood = np.zeros(2), np.eye(2), 0.0
    for z in W20[:8]:
        x, p = f @ x, f @ p @ f.T + q
        s, y = h @ p @ h.T + r, z - h @ x
        gain = np.linalg.solve(s.T, (p @ h.T).T).T
        likelihood = likelihood - 0.5 * (np.linalg.slogdet(s)[1] + y @ np.linalg.inv(s) @ y)
        x, p = x + gain @ y, (np.eye(2) - gain @ h) @ p
    return likelihood


@program(3)
def gaussian_process(np, theta):
    d = POINTS[:12, None, :] - POINTS[None, :12, :]
    k = np.exp(theta[0]) * np.exp(-0.5 * np.sum(d * d, -1) * np.exp(theta[1]))
    k[np.diag_indices(12)] += np.exp(theta[2])
    factor = np.linalg.cholesky(k)
    a = np.linalg.solve(factor, LABELS[:12])
    return 0.5 * a @ a + np.sum(np.log(np.diag(factor)))


@program(8, dtype=complex)
def phase_retrieval(np, z):
    return np.sum((np.abs(np.fft.fft(np.concatenate([z, np.zeros(4)]))) ** 2 - 3.0) ** 2) / 100


@program(4, 4, dtype=complex)
def phases_of_a_spectrum(np, z):
    f = np.fft.fftshift(np.fft.fft2(z, norm="ortho"))
    return np.sum(np.abs(f)) + np.sum(np.angle(f[1:3, 2]) * f.real[1:3, 2])


@program(5, dtype=complex)
def complex_least_squares(np, b):
    x, *_ = np.linalg.lstsq(C5[:, :3], b, rcond=None)
    r = C5[:, :3] @ x - b
    return np.vdot(r, r).real + np.linalg.norm(x, 1)


@program(4, 3)
def ewald_sum(np, r):
    q, k = np.array([1.0, -1.0, 0.5, -0.5]), np.array(list(np.ndindex(3, 3, 3)))[1:]
    square = np.sum(k * k, 1)
    structure = np.sum(q * np.exp(1j * (k @ r.T)), axis=1)
    i, j = np.triu_indices(4, 1)
    d = np.linalg.norm(r[i] - r[j], axis=1)
    return np.sum(np.exp(-square / 4) / square * np.abs(structure) ** 2) + np.sum(q[i] * q[j] * np.exp(-d) / d)


@program(6)
def quantum_circuit(np, t):
    x, z, one = np.array([[0, 1], [1, 0]], complex), np.diag([1.0, -1.0]), np.eye(2)
    cnot, psi = np.eye(4)[[0, 1, 3, 2]].reshape(2, 2, 2, 2), np.zeros(8, complex)
    psi[0] = 1
    for layer in range(2):
        turns = [np.cos(a / 2) * one - 1j * np.sin(a / 2) * x for a in t[3 * layer : 3 * layer + 3]]
        psi = (np.kron(np.kron(turns[0], turns[1]), turns[2]) @ psi).reshape(2, 2, 2)
        psi = np.einsum("abcd,ecd->eab", cnot, np.tensordot(cnot, psi, axes=([2, 3], [0, 1]))).reshape(-1)
    return np.real(np.conj(psi) @ np.kron(z, np.kron(one, x)) @ psi)


@program(9)
def hermite_spline(np, y):
    knots, at = np.linspace(0, 1, 9), np.array([0.13, 0.4, 0.77])
    i = np.clip(np.searchsorted(knots, at) - 1, 0, 7)
    h = knots[i + 1] - knots[i]
    t, derivative = (at - knots[i]) / h, np.gradient(y, knots)
    return (
        np.sum((2 * t**3 - 3 * t**2 + 1) * y[i] + (t**3 - t * t) * h * derivative[i + 1] + t * np.take(y, i + 1)) ** 2
    )


@program(4, 6)
def ranks(np, x):
    ordered = np.take_along_axis(x, np.argsort(x, axis=1), axis=1)
    return np.sum(ordered * np.arange(6)) + np.sum(ordered[:, :2] ** 2) + np.sum(np.sort(x, 0)[1] ** 3)


@program(7)
def order_statistics(np, x):
    falling = np.sort(x)[::-1]
    middle = np.partition(x, 3)[3] ** 2 + np.median(x) * np.percentile(x, 30)
    return np.sum(np.cumsum(falling) / np.arange(1, 8)) + middle + np.ptp(x)


@program(6)
def cumulative_sums_and_products(np, x):
    total = np.sum(np.cumprod(1 + 0.1 * x) * np.cumsum(x[::-1])) + np.diff(x, 2) @ np.diff(x, 2)
    return total + np.maximum.accumulate(x) @ np.arange(6.0) + np.multiply.accumulate(x)[-1]


@program(6, 6)
def masks(np, x):
    y = np.where(MASK, np.log(np.where(MASK, x**2 + 1, 1.0)), -x)
    z = x[MASK]
    x = x.copy()
    x[~MASK] = 0
    x[x > 1] *= 2
    return np.sum(y) + np.sum(z**3) + np.sum(x**2)


@program(8)
def pieces(np, x):
    a = np.piecewise(x, [x < -0.5, x > 0.5], [lambda t: t**2, lambda t: np.sin(t), lambda t: 3 * t])
    b = np.select([x < 0, x < 1], [x**3, np.exp(x)], default=2 * x)
    return np.sum(a * b + np.choose(np.arange(8) % 3, [x, x**2, x * 3]))


@program(4, 5)
def functions_along_an_axis(np, x):
    rows = np.apply_along_axis(lambda row: np.cumsum(row) * row[0], 1, x)
    return np.sum(rows) + np.sum(np.apply_over_axes(np.sum, x, [0]) ** 2)


@program(5)
def vectorized_branches(np, x):
    power = np.vectorize(lambda t, k: t**k if t > 0 else -t * k)
    return np.sum(power(x, np.array([1.0, 2.0, 3.0, 2.0, 1.0])))


@program(5, positive=True)
def methods_of_ufuncs(np, x):
    z, a = np.add.reduce(np.multiply.outer(x, x[:3]), axis=0), np.zeros(5)
    np.add.at(a, [0, 1, 1, 4], x[:4] ** 2)
    total = np.multiply.reduce(z) + np.sum(np.add.accumulate(x) ** 2) + np.sum(a * x) + np.logaddexp.reduce(x)
    return total + np.hypot.reduce(x) + np.sum(np.add.reduceat(x, [0, 2, 3]) ** 2) + np.minimum.reduce(x)


@program(6)
def loops_over_elements(np, x):
    total = 0.0
    for (i,), t in np.ndenumerate(x):
        total = total + t * t * i
    for i in np.ndindex(x.shape):
        total = total + np.sin(x[i])
    for t in x.flat:
        total = total + t**3
    return total


@program(6)
def interpolation(np, y):
    knots = np.linspace(0, 1, 6)
    return np.sum(np.interp(np.linspace(-0.2, 1.2, 9), knots, y) ** 2) + np.interp(y[0] * 0.1 + 0.4, knots, y)


@program(9)
def filters(np, x):
    smooth, lags = np.convolve(x, x[:3], "same"), np.correlate(x, x[:3], "full")
    derivative = np.gradient(x, 0.5, edge_order=2)
    return np.sum(smooth**2) + np.sum(lags**3) * 0.01 + np.sum(derivative**2) + np.trapezoid(x**2, dx=0.1)


@program(12)
def fitted_polynomial(np, y):
    p = np.polyfit(np.linspace(-1, 1, 12), y, 3)
    return np.sum(np.polyval(p, np.array([0.3, 0.7])) ** 2) + np.sum(np.polyder(p) ** 2)


@program(20)
def weighted_histogram(np, w):
    counts, _ = np.histogram(W20, bins=5, weights=w)
    return np.sum(counts**2) + np.sum(np.bincount(PLACES, weights=w**2, minlength=6) ** 3) * 0.1


@program(6, 6)
def writes_through_views(np, a):
    a = a.copy()
    row = a[1]
    row += 2 * a[2]
    a.T[0] *= 1 + a[1]
    part = a[::2, 1:4]
    part[...] = part**2
    a[-1, -1] -= np.sum(part)
    stretch = a.reshape(-1)[7:12]
    stretch[:2] = 1.5
    return np.sum(a**2) + np.trace(a.T)


@program(6)
def functions_that_write(np, x):
    a, m = np.zeros(8), np.outer(x, x)
    np.copyto(a[:6], x)
    np.put(a, [6, 7], x[:2] ** 2)
    np.place(a, a > 1, x[:1] * 3)
    np.putmask(a, np.arange(8) % 4 == 1, np.concatenate([x, x[:2]]) ** 2)
    np.put_along_axis(a, np.array([3]), x[2:3] * 5, 0)
    np.fill_diagonal(m, x[0])
    return np.sum(a**2) + np.sum(m**2)


@program(5)
def repeated_indices(np, x):
    a, b = np.zeros(5), x[PLACES]
    a[[0, 0, 2]] += x[:3]
    a[PLACES[:4]] = x[:4] * 2
    b[[1, 1]] += 1.0
    return np.sum(a * x) + np.sum(b * b * W20)


@program(6, dtype=complex)
def complex_writes(np, z):
    a = np.zeros((3, 2), complex)
    a[:, 0] = z[:3]
    a[:, 1] = np.conj(z[3:])
    a.real *= 2
    a.imag[0] = 1.0
    a /= np.abs(a).max()
    return np.sum(np.abs(a @ np.conj(a).T) ** 2)


@program(4, 4, dtype=complex)
def spectrum(np, a):
    w, v = np.linalg.eigh(a + np.conj(a).T)
    projector = v[:, :2] @ np.conj(v[:, :2]).T
    trace = np.real(np.trace(projector @ C5[:4, :4]))
    return np.sum(np.exp(-w)) + trace + np.linalg.norm(a, 2) + np.abs(np.linalg.det(a))


@program(3, 3)
def blocks(np, a):
    b = np.block([[a, np.eye(3)], [np.zeros((3, 3)), a.T]])
    triangles = np.sum(np.tril(a) @ np.triu(a))
    return np.linalg.slogdet(b + 3 * np.eye(6))[1] + triangles + np.sum(np.diagonal(b, 1) ** 2)


@program(3, 4)
def margins(np, x):
    modes = ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean", "maximum")
    weights = np.arange(42).reshape(6, 7)
    return sum(np.sum(np.pad(x, ((1, 2), (2, 1)), mode=mode) ** 2 * weights) for mode in modes)


@program(5)
def lists_of_numbers(np, x):
    row = [x[0], x[1] * 2, 3.0]
    total = np.mean(row) + np.max([x[2], x[3]]) + np.array([row, [1, x[4], 2]]).sum()
    return total + np.linalg.norm([x[0], x[1]]) + np.dot([x[0], 1.0], [2.0, x[1]])


@program(3, positive=True)
def runge_kutta(np, p):
    def derivative(y):
        return np.array([p[0] * y[0] - p[1] * y[0] * y[1], -p[2] * y[1] + y[0] * y[1]])

    y, path = np.array([1.0, 0.5]), np.empty((10, 2))
    for i in range(10):
        k1 = derivative(y)
        k2 = derivative(y + 0.05 * k1)
        k3 = derivative(y + 0.05 * k2)
        y = y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + derivative(y + 0.1 * k3))
        path[i] = y
    return np.sum((path - 1) ** 2)


@program(4, 4)
def elimination(np, a):
    u = a + 4 * np.eye(4)
    for k in range(4):
        for i in range(k + 1, 4):
            u[i, k:] -= u[i, k] / u[k, k] * u[k, k:]
    return np.sum(np.log(np.abs(np.diag(u))))


@program(8)
def bubble_sort(np, x):
    x = x.copy()
    for i in range(7):
        if x[i] > x[i + 1]:
            x[i], x[i + 1] = x[i + 1], x[i]
    x[[0, -1]] = x[[-1, 0]]
    return np.sum(x * np.arange(8.0))


@program(5)
def exchanged_rows(np, x):
    a = np.outer(x, x) + np.eye(5)
    a[[0, 1]] = a[[1, 0]]
    a[:, [2, 3]] = a[:, [3, 2]] * 2
    a[np.ix_([0, 2], [1, 3])] = x[0]
    a[..., None][0, 0] *= 3
    return np.sum(a * M5)


@program(6, positive=True)
def weighted_statistics(np, w):
    moments = np.average(POINTS[:6, 0], weights=w) + np.sum(np.cov(POINTS[:6].T, aweights=w))
    return moments + np.corrcoef(w, POINTS[:6, 1])[0, 1] + np.var(w, ddof=1) + np.quantile(w, 0.25)


@program(5)
def missing_values(np, x):
    a = np.concatenate([x, [np.nan]])
    return np.nansum(a**2) + np.nanmean(a) + np.nanmax(a) + np.nanstd(a) + np.sum(np.nan_to_num(a))


@program(4, dtype=complex)
def moebius_map(np, z):
    w = (2 * z + 1j) / (z - 3)
    return np.sum(np.real(np.log(w)) ** 2) + np.prod(np.abs(z)) + np.sum(np.sqrt(z).imag)
