"""Values and gradients on an NVIDIA GPU: ours beside CuPy's, PyTorch's and JAX's (compiled).

Run `python benchmarks/gpu.py` on a machine with a GPU, in an environment with `.[cuda13]`, `torch` and `jax[cuda13]`;
who is not installed, or sees no GPU, is left out and named.  It takes some minutes and prints a report in Markdown.
On the stand-in of tests/cuda it refuses: what a CPU does says nothing about a GPU.
"""

from __future__ import annotations

from _timing import best_times, conditions, duration, table  # isort: split

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SECONDS_OF_A_ROW = 2.0
AGREEMENT = 1e-6
Call = Callable[[], Any]
Loss = Callable[..., Any]


class NoGPUError(Exception):
    """A contestant cannot compute on a GPU here."""


def _unchanged(loss: Loss) -> Loss:
    return loss


@dataclass(frozen=True)
class Contestant:
    """One library on the GPU.

    Attributes
    ----------
    functions : module
        What a loss calls.
    special : module
        Its special functions.
    move : callable
        A NumPy array to its array on the GPU.
    gradient : callable or None
        From a loss and arrays, the call that computes value and gradients; None where it has no derivatives.
    wait : callable
        Given a result, wait until it is there.
    back : callable
        Its array as NumPy's, a gradient in our convention.
    prepare : callable
        What it does to a function before it is called.
    """

    functions: Any
    special: Any
    move: Callable[[Any], Any]
    gradient: Callable[[Loss, Sequence[Any]], Call] | None
    wait: Callable[[Any], Any]
    back: Callable[[Any], Any]
    prepare: Callable[[Loss], Loss] = _unchanged


def _cupy() -> Any:
    try:
        cupy = importlib.import_module("cupy")
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:
        raise NoGPUError(f"CuPy has no GPU: {error}") from error
    if "stand-in" in name:
        raise NoGPUError("CuPy runs on the stand-in for CUDA, whose times mean nothing")
    return cupy


def ours() -> Contestant:
    """Wirtinger on CUDA."""
    cupy = _cupy()
    import wirtinger
    from wirtinger import special

    def gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
        both = wirtinger.value_and_grad(loss, tuple(range(len(arrays))))
        return lambda: both(*arrays)[1]

    wait = cupy.cuda.Device().synchronize
    move = lambda x: wirtinger.to_device(x, "cuda")
    return Contestant(wirtinger, special, move, gradient, lambda _: wait(), wirtinger.to_host)


def cupys() -> Contestant:
    """CuPy, which has no derivatives."""
    cupy = _cupy()
    special = importlib.import_module("cupyx.scipy.special")
    wait = cupy.cuda.Device().synchronize
    return Contestant(cupy, special, cupy.asarray, None, lambda _: wait(), cupy.asnumpy)


def torchs() -> Contestant:
    """PyTorch, eager."""
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        raise NoGPUError("PyTorch sees no GPU")

    def gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
        leaves = [a.detach().requires_grad_() for a in arrays]
        return lambda: torch.autograd.grad(loss(*leaves), leaves)

    return Contestant(
        torch, torch.special, lambda x: torch.asarray(x).cuda(), gradient, lambda _: torch.cuda.synchronize(),
        lambda x: x.detach().cpu().numpy(),
    )  # fmt: skip


def jaxs() -> Contestant:
    """JAX, compiled."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() != "gpu":
        raise NoGPUError("JAX sees no GPU")
    functions = importlib.import_module("jax.numpy")

    def gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
        compiled = jax.jit(jax.value_and_grad(loss, tuple(range(len(arrays)))))
        return lambda: compiled(*arrays)[1]

    return Contestant(
        functions, importlib.import_module("jax.scipy.special"), functions.asarray, gradient, jax.block_until_ready,
        lambda x: np.conj(np.asarray(x)), jax.jit,
    )  # fmt: skip


CONTESTANTS = {"wirtinger": ours, "cupy": cupys, "torch": torchs, "jax": jaxs}


def _drawn(*shape: int, kind: str = "f") -> Any:
    generator = np.random.default_rng(len(shape))
    x = generator.standard_normal(shape)
    return x + 1j * generator.standard_normal(shape) if kind == "c" else x


def _definite(*shape: int) -> Any:
    a = _drawn(*shape)
    return a @ a.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])


CASES: dict[str, tuple[Callable[[Any, Any], Loss], list[Any]]] = {
    "chain of 6 elementwise, 10^7": (
        lambda F, S: lambda x: F.sum(F.sin(x) * F.exp(-x * x) + F.tanh(x) / (1 + x * x)), [_drawn(10**7)]
    ),
    "abs(z)^2 of a product, complex 2048": (
        lambda F, S: lambda a, b: F.sum(F.abs(a @ b) ** 2), [_drawn(2048, 2048, kind="c"), _drawn(2048, 2048, kind="c")]
    ),
    "fft2, complex 2048": (
        lambda F, S: lambda x: F.sum(F.abs(F.fft.fft2(x)) ** 2), [_drawn(2048, 2048, kind="c")]
    ),
    "solve, 2048": (lambda F, S: lambda a, b: F.sum(F.linalg.solve(a, b) ** 2), [_definite(2048, 2048), _drawn(2048)]),
    "solve, 100 000 x 4": (
        lambda F, S: lambda a, b: F.sum(F.linalg.solve(a, b) ** 2), [_definite(100_000, 4, 4), _drawn(100_000, 4, 1)]
    ),
    "cholesky, 2048": (lambda F, S: lambda a: F.sum(F.linalg.cholesky(a) ** 2), [_definite(2048, 2048)]),
    "eigvalsh, 1024": (lambda F, S: lambda a: F.sum(F.linalg.eigvalsh(a) ** 3), [_definite(1024, 1024)]),
    "eigvalsh, 10 000 x 8": (lambda F, S: lambda a: F.sum(F.linalg.eigvalsh(a) ** 3), [_definite(10_000, 8, 8)]),
    "singular values, 512": (lambda F, S: lambda a: F.sum(F.linalg.svd(a)[1] ** 3), [_drawn(512, 512)]),
    "gammaln, 10^7": (lambda F, S: lambda x: F.sum(S.gammaln(x)), [np.abs(_drawn(10**7)) + 0.1]),
}  # fmt: skip


def _call(contestant: Contestant, kind: str, case: str) -> Call | None:
    """The call that is timed, which ends when the result is there; None where the contestant cannot."""
    make, arrays = CASES[case]
    loss = make(contestant.functions, contestant.special)
    given = [contestant.move(a) for a in arrays]
    if kind == "gradient" and contestant.gradient is None:
        return None
    if kind == "gradient":
        call = contestant.gradient(loss, given)
    else:
        prepared = contestant.prepare(loss)
        call = lambda: prepared(*given)

    def waited() -> Any:
        result = call()
        contestant.wait(result)
        return result

    try:
        waited()
    except (AttributeError, TypeError, ValueError, NotImplementedError, RuntimeError) as error:
        print(f"{kind} of {case}: {contestant.functions.__name__} cannot: {error}".splitlines()[0], file=sys.stderr)
        return None
    return waited


def _comparable(case: str, g: Any) -> Any:
    """Where one triangle is read, the gradient lies in it here, and PyTorch and JAX give its symmetric part."""
    return (g + g.swapaxes(-1, -2)) / 2 if case.startswith(("cholesky", "eigvalsh")) else g


def _agree(case: str, able: dict[str, Call], contestants: dict[str, Contestant]) -> None:
    """Gradients must agree before they are timed."""
    results = {name: [_comparable(case, contestants[name].back(g)) for g in call()] for name, call in able.items()}
    for name, theirs in results.items():
        for g, h in zip(theirs, results["wirtinger"], strict=True):
            difference = float(np.max(np.abs(g - h)) / np.max(np.abs(h)))
            if difference > AGREEMENT:
                raise SystemExit(f"{case}: the gradients of {name} and wirtinger differ by {difference:.1e}")


def main() -> None:
    """Print the report."""
    contestants, missing = {}, []
    for name, make in CONTESTANTS.items():
        try:
            contestants[name] = make()
        except (NoGPUError, ImportError) as error:
            if name == "wirtinger":
                raise SystemExit(f"nothing is measured: {error}") from None
            missing.append(f"{name}: {error}")
    runtime = importlib.import_module("cupy").cuda.runtime
    gpu = runtime.getDeviceProperties(0)["name"].decode()
    names = [name for name in contestants if name not in ("wirtinger", "cupy")]
    print(f"# On a GPU\n\n{gpu}, driver {runtime.driverGetVersion()}, runtime {runtime.runtimeGetVersion()},")
    print(conditions("numpy", *names) + f", cupy {contestants['cupy'].functions.__version__}")
    print("".join(f"\nLeft out: {line}" for line in missing))
    rows = []
    for case in CASES:
        for kind in ("value", "gradient"):
            calls = {name: _call(contestant, kind, case) for name, contestant in contestants.items()}
            able = {name: call for name, call in calls.items() if call is not None}
            if kind == "gradient":
                _agree(case, able, contestants)
            times = best_times(able, SECONDS_OF_A_ROW)
            rows.append([f"{case}: {kind}", *(duration(times[n]) if n in times else "" for n in contestants)])
    print(table(["", *contestants], rows))


if __name__ == "__main__":
    main()
