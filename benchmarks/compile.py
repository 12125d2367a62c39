"""Compiled gradients beside eager ones, jax.jit, PyTorch, with and without torch.compile, and autograd.

Run `python benchmarks/compile.py [NAME ..]`, of rows whose names begin so.  A row is timed for BENCHMARK_SECONDS; the
table is printed when all are there.  Loops are `scan` and `jax.lax.scan`; PyTorch and autograd run them in Python, and
torch.compile, which would unroll them, is left out there.  Everything is measured in one run; gradients are compared
before they are timed.
"""

from __future__ import annotations

import gc
import os
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from _timing import best_times, conditions, duration, table  # isort: split

import jax
import numpy as np
import torch
from _peers import PEERS, calls
from overhead import arithmetic, mixed, random_arrays, unary

import wirtinger

jax.config.update("jax_enable_x64", True)
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"  # what it compiled in an earlier run is on the disk
warnings.filterwarnings("ignore", "Torchinductor does not support code generation for complex operators")

JAX = SimpleNamespace(**vars(jax.numpy), scan=jax.lax.scan)
AGREEMENT = 1e-9
SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "10"))
NEAR = 100
"""Contestants up to so many times as slow as the fastest are timed for SECONDS, the others in a few rounds."""
LARGE = 1_000_000
STEPS = 200
FILTERED = 1000
COMPILED = 15
"""First calls that are timed: the fastest counts."""
CHAINS = 2, 100
"""Lengths of the chains of which compiling is timed."""
FEW = 1000
"""Elements of the arrays of which compiling is timed: how long it takes does not depend on how many there are."""


def gabor(F: Any, x: Any) -> Any:
    """Ten operations of which half are transcendental."""
    return F.sum(F.exp(-0.5 * x * x) * F.cos(3.0 * x + 0.2) * F.tanh(x))


def polynomial(F: Any, x: Any) -> Any:
    """Horner's scheme of degree 20."""
    w = x
    for k in range(20):
        w = w * x + 0.1 * k
    return F.sum(w)


def big(F: Any, x: Any) -> Any:
    """Sixty operations, of which a third are transcendental."""
    w = x
    for k in range(10):
        w = F.sin(w + 0.1 * k) * F.exp(-w * w) + F.tanh(x)
    return F.sum(w)


def kalman(F: Any, p: Any) -> Any:
    """The negative log-likelihood of a local level model: steps of Kalman's filter, of two numbers."""

    def step(carry: Any, k: Any) -> Any:
        level, variance, total = carry
        variance = variance + p[0]
        innovation, scale = F.sin(0.3 * k) - level, variance + p[1]
        gain = variance / scale
        total = total + F.log(scale) + innovation * innovation / scale
        return (level + gain * innovation, variance * (1.0 - gain), total), None

    return _last_carry(F, step, (p[2], p[3], 0.0 * p[0]), np.arange(float(FILTERED)))[2]


def circuit(F: Any, p: Any) -> Any:
    """The probability of an outcome of a circuit on four qubits: four layers of rotations about y and z, and a sign."""
    state = F.stack([F.exp(1j * k * p[0, 0]) / 4.0 for k in range(16)])
    for layer in range(4):
        for qubit in range(4):
            c, s, phase = F.cos(p[layer, qubit]), F.sin(p[layer, qubit]), F.exp(1j * p[layer, 4 + qubit])
            parts = F.reshape(state, (2**qubit, 2, -1))
            zero, one = parts[:, 0], parts[:, 1]
            state = F.stack([(c * zero - s * one) * phase, (s * zero + c * one) / phase], 1)
        pairs = F.reshape(state, (4, 4))
        state = F.stack([pairs[0], pairs[1], pairs[2], -pairs[3]])
    amplitudes = F.reshape(state, (16,))
    return F.abs(amplitudes[5]) ** 2 + 0.5 * F.abs(amplitudes[9]) ** 2


def phase_retrieval(F: Any, x: Any) -> Any:
    """How far the magnitudes of the spectrum of an image are from 1."""
    return F.sum((F.abs(F.fft.fft2(x)) - 1.0) ** 2)


def per_example(F: Any, weights: Any) -> Any:
    """A neuron with its own copy of 32 weights for each of 256 examples: its gradient is one gradient an example."""
    inputs = F.sin(F.cumsum(F.cumsum(F.ones_like(weights), 0), 1))
    return F.sum((F.tanh(F.sum(weights * inputs, 1)) - 0.5) ** 2)


def runge_kutta(F: Any, p: Any) -> Any:
    """A pendulum with friction, in 200 steps of the classical method."""

    def derivative(q: Any, v: Any) -> Any:
        return v, -p[0] * F.sin(q) - p[1] * v

    def step(carry: Any, _: Any) -> Any:
        q, v = carry
        q1, v1 = derivative(q, v)
        q2, v2 = derivative(q + 0.5 * h * q1, v + 0.5 * h * v1)
        q3, v3 = derivative(q + 0.5 * h * q2, v + 0.5 * h * v2)
        q4, v4 = derivative(q + h * q3, v + h * v3)
        q = q + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4)
        v = v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        return (q, v), None

    h = 0.05
    q, v = _last_carry(F, step, (p[2], p[3]), np.arange(float(STEPS)))
    return q * q + v * v


def _last_carry(F: Any, step: Callable[..., Any], carry: Any, xs: Any) -> Any:
    """The carry behind the last step: of a loop that is one operation where there is one, and of Python's."""
    if hasattr(F, "scan"):
        return F.scan(step, carry, xs)[0]
    for x in xs:
        carry, _ = step(carry, x)
    return carry


def gradient_of(loss: Callable[..., Any]) -> Callable[..., Any]:
    return wirtinger.value_and_grad(lambda x: loss(wirtinger, x))


def contestants(loss: Callable[..., Any], x: Any) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """The calls that agree with ours; operations, what compiling takes, also for each of them; first calls of peers."""
    eager = gradient_of(loss)
    few = x[(slice(int(FEW ** (1 / x.ndim))),) * x.ndim]
    size, taken = compiling(eager, few)
    compiled = wirtinger.compile(eager)
    expected = np.asarray(compiled(x)[1])
    assert _agrees(eager(x)[1], expected)  # to the bit, but for loops: they sum cotangents in another order
    able = {"compiled": lambda: compiled(x)[1], "eager": lambda: eager(x)[1]}
    by_own = wirtinger.compile(eager, kernels="own")
    if _agrees(by_own(x)[1], expected):
        able["own kernels"] = lambda: by_own(x)[1]
    jitted = jax.jit(jax.value_and_grad(lambda x: loss(JAX, x)))
    own, start = jax.numpy.asarray(x), time.process_time()
    jitted(own)[1].block_until_ready()
    theirs = time.process_time() - start
    if _agrees(np.conj(jitted(own)[1]), expected):
        able["jax.jit"] = lambda: jitted(own)[1].block_until_ready()
    for name, call in calls("gradient", loss, [x]).items():
        if name != "wirtinger" and _agrees(PEERS[name].convention(call()[0]), expected):
            able[name] = call
    torches = "none"
    if loss not in LOOPS and (found := by_torch_compile(loss, x)) is not None:
        call, seconds = found
        if _agrees(call().numpy(), expected):
            able["torch.compile"], torches = call, duration(seconds)
    return able, [str(size), duration(taken), f"{taken / size * 1e6:.0f} us", duration(theirs), torches]


def by_torch_compile(loss: Callable[..., Any], x: Any) -> tuple[Callable[[], Any], float] | None:
    """The gradient, and the seconds of its first call by the clock, as compilers run beside it; None where it fails."""
    torch._dynamo.reset()
    tensor = torch.tensor(x, requires_grad=True)
    value = torch.compile(lambda x: loss(torch, x), fullgraph=True)

    def gradient() -> Any:
        return torch.autograd.grad(value(tensor), [tensor])[0]

    start = time.perf_counter()
    try:
        gradient()
    except RuntimeError:
        return None
    return gradient, time.perf_counter() - start


def compiling(eager: Callable[..., Any], x: Any) -> tuple[int, float]:
    """How many operations a function records, and how long compiling takes: a first call without what it computes.

    It computes operation by operation, as the function itself does, and loops by their programs, as a second call does.
    The time is the processor's, which other processes disturb less; as in timeit, no garbage is collected.
    """
    taken = []
    gc.disable()
    for _ in range(COMPILED):
        compiled, times = wirtinger.compile(eager), [time.process_time()]
        for call in (compiled, compiled, eager):
            call(x)
            times.append(time.process_time())
        taken.append(np.diff(times))
    gc.enable()
    first, second, itself = np.min(taken, 0)
    program = compiled.lower(x).program
    return _size(program), first - (second if _inner(program) else itself)


def of_a_chain() -> tuple[float, float]:
    """What compiling takes for each further operation, and besides: of gradients of a short and a long chain."""

    def chain(length: int) -> Callable[..., Any]:
        def loss(F: Any, w: Any) -> Any:
            for _ in range(length):
                w = F.sin(0.9 * w)
            return F.sum(w)

        return gradient_of(loss)

    (few, short), (many, long) = (compiling(chain(length), np.linspace(0.0, 1.0, 10)) for length in CHAINS)
    each = (long - short) / (many - few)
    return each, short - few * each


def _size(program: Any) -> int:
    """The operations that were recorded, those included that are not run, and those of steps of loops, each once."""
    return len(program.spaces) - len(program.inputs) + sum(map(_size, _inner(program)))


def _inner(program: Any) -> list[Any]:
    """The programs of steps of loops, and of branches."""
    return [
        part for step in program.steps for part in getattr(getattr(step, "function", None), "programs", {}).values()
    ]


def _agrees(found: Any, expected: Any) -> bool:
    return bool(np.max(np.abs(np.asarray(found) - expected)) <= AGREEMENT * np.max(np.abs(expected)))


ROWS: list[tuple[str, Callable[..., Any], Any]] = [
    *[
        (f"{chain.__name__} {dtype.__name__}, n = 10", chain, random_arrays(dtype, (10,))[0])
        for chain in (mixed, unary, arithmetic)
        for dtype in (float, complex)
    ],
    (f"Runge-Kutta, {STEPS} steps", runge_kutta, np.array([1.0, 0.1, 0.5, 0.3])),
    (f"Kalman filter, {FILTERED} steps", kalman, np.array([0.1, 0.5, 0.2, 1.0])),
    ("circuit of 4 qubits", circuit, 0.1 + random_arrays(float, (4, 8))[0]),
    ("phase retrieval, 256 x 256", phase_retrieval, random_arrays(complex, (256, 256))[0]),
    ("256 gradients of 32 weights", per_example, 0.1 * random_arrays(float, (256, 32))[0]),
    ("gabor, n = 1e6", gabor, random_arrays(float, (LARGE,))[0]),
    ("big, n = 1e6", big, random_arrays(float, (LARGE,))[0]),
    ("polynomial, n = 1e6", polynomial, 0.1 * random_arrays(float, (LARGE,))[0]),
]


def calls_alone(names: str, steps: int) -> Callable[[Any], Any]:
    """A compiled loop that calls functions of NumPy's of one number, and does nothing else."""
    functions = [getattr(wirtinger, name) for name in names.split()]

    def step(carry: Any, x: Any) -> Any:
        return tuple(f(x * k) for k, f in enumerate(functions, 1)), None  # equal calls are done once

    xs = np.linspace(0.1, 1.0, steps)
    loop = wirtinger.compile(lambda carry: wirtinger.scan(step, carry, xs)[0])
    return lambda _: loop(tuple(np.zeros(len(functions))))


CALLED = "NumPy's functions, whose bits the program has, are called one number at a time, which alone takes"
FLOORS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Runge-Kutta": (CALLED, calls_alone("sin sin sin sin sin sin sin sin cos cos cos cos", STEPS)),
    "Kalman": (CALLED, calls_alone("sin log sin", FILTERED)),
    "phase retrieval": (
        "NumPy's transforms, modulus and quotient, whose bits the program has, alone take",
        lambda x: (np.fft.ifftn(np.fft.fftn(x)), x / np.abs(x)),
    ),
    "gabor": (
        "NumPy's functions, whose bits the program has (kernels='own' takes ours), alone take",
        lambda x: (np.exp(x), np.cos(x), np.sin(x), np.tanh(x), np.cosh(x)),
    ),
    "big": (
        "NumPy's functions, whose bits the program has (kernels='own' takes ours), alone take",
        lambda x: [(np.exp(x), np.cos(x), np.sin(x)) for _ in range(10)],
    ),
}
"""By the beginning of a row, why it is behind where it is, and, where they can be called alone, what takes so long."""


def reason_of(name: str, x: Any) -> str:
    for start, (reason, alone) in FLOORS.items():
        if name.startswith(start):
            return f"{reason} {duration(best_times({'': partial(alone, x)}, 2.0)[''])}"
    return "in this run; no function of NumPy explains it, so other processes may have been at work"


NAMES = ("compiled", "own kernels", "eager", "jax.jit", "torch", "torch.compile", "autograd")
LOOPS = runge_kutta, kalman


def main() -> None:
    print("## Compiled functions\n")
    print(conditions("numpy", "jax", "torch", "autograd") + "\n", flush=True)
    rows, behind = [], []
    for name, loss, x in ROWS:
        if sys.argv[1:] and not name.startswith(tuple(sys.argv[1:])):
            continue
        print(name, file=sys.stderr, flush=True)
        able, cost = contestants(loss, x)
        best = best_times(able, 0.0)
        near = {peer: call for peer, call in able.items() if best[peer] < NEAR * min(best.values())}
        best |= best_times(near, SECONDS)  # those that take a second a round would leave few rounds to the others
        times = [duration(best[peer]) if peer in best else "none" for peer in NAMES]
        rows.append([name, *times, f"{best['eager'] / best['compiled']:.1f}", *cost])
        if best["compiled"] > best.get("jax.jit", np.inf):
            behind.append(f"* {name}: {reason_of(name, x)}")
    print(
        "Gradients by compiled functions; how many operations there are, what compiling takes, and first calls of "
        "peers:\n"
    )
    made = ["eager / compiled", "operations", "compiling", "an operation", "jax's first", "torch.compile's first"]
    print(table(["gradient of", *NAMES, *made], rows))
    if behind:
        print("\nBehind `jax.jit`, and why:\n\n" + "\n".join(behind))
    each, besides = of_a_chain()
    print(f"\nCompiling takes {duration(each)} for each further operation of a chain, and {duration(besides)} besides.")
    compiled, x = wirtinger.compile(lambda x: x), np.zeros(10)
    compiled(x)
    print(
        "\nA call of a compiled function that does nothing:", duration(best_times({"": lambda: compiled(x)}, 2.0)[""])
    )


if __name__ == "__main__":
    main()
