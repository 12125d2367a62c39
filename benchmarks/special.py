"""Special functions of a million elements: values beside SciPy's, values and gradients beside PyTorch's and JAX's.

Run `python benchmarks/special.py` for a choice of functions, with names of functions for those alone, and with `--all`
for every ufunc beside SciPy alone.  Everything is measured in one run; a gradient is compared before it is timed.
BENCHMARK_SIZE sets the number of elements, BENCHMARK_SECONDS how long each function is measured.
"""

from __future__ import annotations

import os

os.environ.setdefault("BENCHMARK_THREADS", "2")

from _timing import best_times, conditions, duration, table  # isort: split

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import jax
import jax.numpy
import jax.scipy.special
import numpy as np
import scipy.special
import torch
from _peers import THREADS
from _special_arguments import UFUNCS, argument_names, arguments, complex_arguments, continuous

import wirtinger
from wirtinger import special

jax.config.update("jax_enable_x64", True)

SIZE = int(os.environ.get("BENCHMARK_SIZE", "1000000"))
BLOCK = SIZE // 20
"""JAX is compiled for so many elements, and called again and again: of a call that takes too long only one is made."""
SLOW = 3e-7
"""Seconds an element: functions whose values take longer are measured on a tenth of the elements."""
LIMIT = 5.0
"""Seconds: a peer that needs more for all elements is not waited for."""
OVER = f"over {LIMIT:.0f} s"
SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "1"))
"""How long each function is measured; each contestant is called at least once."""
AGREEMENT = 1e-6

CHOICE = (
    *("erf", "erfc", "erfcx", "dawsn", "erfinv", "erfcinv", "ndtr", "ndtri", "log_ndtr", "expit", "log_expit", "logit"),
    *("softplus", "expm1", "log1p", "xlogy", "xlog1py", "entr", "rel_entr", "kl_div", "gamma", "gammaln", "psi"),
    *("beta", "betaln", "zeta", "i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e", "j0", "j1", "y0", "y1"),
    *("exp1", "expi", "sici", "spence", "ellipk", "ellipe", "ellipkinc", "elliprf", "owens_t", "voigt_profile"),
    *("airy", "jv", "yv", "iv", "kv", "struve", "eval_legendre", "hyp0f1", "hyp1f1", "hyp2f1", "gammainc", "betainc"),
    *("stdtr", "fdtr", "pdtr", "gammaincinv", "betaincinv", "stdtrit"),
)
COMPLEX = ("erf", "erfcx", "wofz", "loggamma", "psi", "expi", "airy", "jv", "kv", "hyp1f1", "log1p")
ELEMENTARY = {"exp": (-5.0, 5.0), "log": (0.1, 10.0), **dict.fromkeys(("sin", "cos", "tan", "tanh"), (-5.0, 5.0))}
"""NumPy's functions, compiled with our own kernels, and where they are measured: NumPy stands in SciPy's place."""
ONE_ARGUMENT = {**ELEMENTARY, "softplus": (-5.0, 5.0), "zeta": (1.1, 6.0)}
"""What is measured, in one argument, of functions that are no ufuncs of `scipy.special`."""

IN_TORCH: dict[str, Any] = {
    **{f"{letter}{n}": getattr(torch.special, f"bessel_{letter}{n}") for letter in "jy" for n in "01"},
    **{f"{letter}{n}": getattr(torch.special, f"modified_bessel_{letter}{n}") for letter in "ik" for n in "01"},
    "softplus": torch.nn.functional.softplus,
    "zeta": lambda s: torch.special.zeta(s, 1.0),
}
IN_JAX: dict[str, Any] = {
    "psi": jax.scipy.special.digamma,
    "softplus": jax.nn.softplus,
    "zeta": lambda s: jax.scipy.special.zeta(s, 1.0),
}
COMPILED = "compiled"

Call = Callable[[], Any]
Arrays = Sequence[Any]


def first(w: Any) -> Any:
    return w[0] if isinstance(w, tuple) else w


def function_of(name: str, *namespaces: Any) -> Any:
    """That of the first namespace that has one of this name."""
    found = [getattr(namespace, name) for namespace in namespaces if hasattr(namespace, name)]
    if not found:
        raise AttributeError(name)
    return found[0]


def arguments_of(name: str, size: int) -> list[Any]:
    if name not in ONE_ARGUMENT:
        return arguments(name, size)
    return [np.random.default_rng(0).uniform(*ONE_ARGUMENT[name], size)]


def names_of(name: str) -> Sequence[str]:
    return ["x"] if name in ONE_ARGUMENT else argument_names(name)


def continuous_of(name: str) -> list[int]:
    return [0] if name in ONE_ARGUMENT else continuous(name)


def ours(name: str, args: Arrays, i: int | None, is_compiled: bool = False) -> Call:
    """The value, or with `i` the value and the gradient of the sum of its real part in that argument."""
    f, is_elementary = function_of(name, special, wirtinger), name in ELEMENTARY
    if i is None:
        f = wirtinger.compile(f, kernels="own") if is_elementary else f
        return lambda: first(f(*args))

    def loss(x: Any, others: Arrays) -> Any:
        return np.sum(np.real(first(f(*others[:i], x, *others[i:]))))

    gradient, others = wirtinger.value_and_grad(loss), [*args[:i], *args[i + 1 :]]
    if is_compiled or is_elementary:
        gradient = wirtinger.compile(gradient, kernels="own" if is_elementary else "numpy")
    return lambda: gradient(args[i], others)[1]


def on(threads: int, call: Call) -> Call:
    def counted() -> Any:
        wirtinger.set_num_threads(threads)
        return call()

    return counted


def in_torch(name: str, args: Arrays, i: int | None) -> Call:
    f = IN_TORCH.get(name) or function_of(name, torch.special, torch)
    tensors = [torch.tensor(a, requires_grad=k == i) for k, a in enumerate(args)]
    if i is None:
        return lambda: f(*tensors)
    return lambda: torch.autograd.grad(f(*tensors).real.sum(), tensors[i])[0]


@cache
def compiled(name: str, i: int | None, dtypes: Sequence[Any]) -> Callable[..., Any]:
    """JAX's value, or value and gradient in our convention, of a block."""
    f = IN_JAX.get(name) or function_of(name, jax.scipy.special, jax.numpy)

    def value(*xs: Any) -> Any:
        return first(f(*xs))

    def value_and_gradient(*xs: Any) -> Any:
        w, gradient = jax.value_and_grad(lambda *xs: jax.numpy.sum(jax.numpy.real(value(*xs))), i)(*xs)
        return w, jax.numpy.conj(gradient)

    block = [jax.ShapeDtypeStruct((BLOCK,), dtype) for dtype in dtypes]
    return jax.jit(value if i is None else value_and_gradient).lower(*block).compile()


def in_jax(name: str, args: Arrays, i: int | None) -> Call:
    call = compiled(name, i, tuple(a.dtype for a in args))
    blocks = [[jax.numpy.asarray(a[k : k + BLOCK]) for a in args] for k in range(0, len(args[0]), BLOCK)]

    def all_blocks() -> Any:
        out = jax.block_until_ready([call(*block) for block in blocks])
        return out if i is None else [gradient for _, gradient in out]

    return all_blocks


PEERS = {"PyTorch": in_torch, "JAX": in_jax}


def contestant(make: Callable[..., Call], name: str, args: Arrays, i: int | None) -> Call | str:
    """A peer that has what is asked for, or why it is not timed: tried on a block."""
    block = [a[:BLOCK] for a in args]
    try:
        call = make(name, block, i)
        start = time.perf_counter()
        found = np.ravel(call())
        seconds = time.perf_counter() - start
    except (AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError):
        return "none"
    expected = ours(name, block, i)()
    if not np.nanmax(np.abs(found - expected)) <= AGREEMENT * np.max(np.abs(expected)):
        return "wrong"
    return make(name, args, i) if seconds * len(args[0]) / BLOCK < LIMIT else OVER


def contest(name: str, args: Arrays) -> dict[tuple[str, int | None], float | str]:
    """The times of all contestants, for the value (None) and for each continuous argument."""
    by_scipy = function_of(name, scipy.special, np)
    outcomes: dict[tuple[str, int | None], Any] = {("SciPy", None): lambda: by_scipy(*args)}
    for i in (None, *continuous_of(name)):
        for threads in (1, THREADS):
            outcomes[f"{threads}", i] = on(threads, ours(name, args, i))
        if i is not None:
            outcomes[COMPILED, i] = call = on(THREADS, ours(name, args, i, is_compiled=True))
            call()  # which records it
        for peer, make in PEERS.items():
            given_up = outcomes.get((peer, None)) == OVER
            outcomes[peer, i] = OVER if given_up else contestant(make, name, args, i)
    best = best_times({key: call for key, call in outcomes.items() if callable(call)}, SECONDS, least_rounds=0)
    return {key: best.get(key, outcome) for key, outcome in outcomes.items()}


def is_slow(name: str, args: Arrays) -> bool:
    call = on(1, ours(name, [a[:BLOCK] for a in args], None))
    return best_times({name: call}, 0.0, least_rounds=1)[name] > SLOW * BLOCK


def shown(outcome: float | str | None) -> str:
    return outcome if isinstance(outcome, str) else duration(outcome)


def row(title: str, size: int, times: dict[tuple[str, int | None], Any], i: int | None) -> list[str]:
    """What both tables have in common: elements, ours on one thread and on more, PyTorch, JAX and the best of these."""
    one, more = times["1", i], times[f"{THREADS}", i]
    fastest = min(more, times.get((COMPILED, i), more))
    peers = [times[peer, i] for peer in (*PEERS, "SciPy") if isinstance(times.get((peer, i)), float)]
    beside = times["SciPy", None] / one if i is None else one / times["1", None]
    return [
        title,
        str(size),
        *([shown(times["SciPy", None])] if i is None else []),
        shown(one),
        f"{beside:.2f}",
        shown(more),
        f"{one / more:.2f}",
        *([] if i is None else [shown(times[COMPILED, i])]),
        *(shown(times[peer, i]) for peer in PEERS),
        f"{min(peers) / fastest:.2f}" if peers else "",
    ]


def chosen(names: Sequence[str], complex_names: Sequence[str]) -> str:
    """The tables of values and of gradients."""
    values, gradients = [], []
    rows = [(name, ", own kernels" if name in ELEMENTARY else "", arguments_of(name, SIZE)) for name in names]
    rows += [(name, ", complex", complex_arguments(name, SIZE)) for name in complex_names]
    for name, kind, args in rows:
        args = [a[: SIZE // 10] for a in args] if is_slow(name, args) else args
        times = contest(name, args)
        values.append(row(name + kind, len(args[0]), times, None))
        for i in continuous_of(name):
            gradients.append(row(f"{name} in {names_of(name)[i]}{kind}", len(args[0]), times, i))
    threads, peers = (f"{THREADS} threads", "gain"), (*PEERS, "fastest peer / ours")
    return "\n\n".join(
        [
            table(("value", "elements", "SciPy", "1 thread", "SciPy / ours", *threads, *peers), values),
            table(("value and gradient", "elements", "1 thread", "over value", *threads, COMPILED, *peers), gradients),
        ]
    )


def everything() -> str:
    """Every ufunc, on one thread and a tenth of the elements."""
    wirtinger.set_num_threads(1)
    lines = []
    for name in UFUNCS:
        args = arguments(name, SIZE // 10)
        calls = {i: ours(name, args, i) for i in (None, *continuous(name))}
        calls["SciPy"] = lambda name=name, args=args: getattr(scipy.special, name)(*args)
        best = best_times(calls, SECONDS, least_rounds=0)
        costs = [f"{argument_names(name)[i]} {best[i] / best[None]:.1f}" for i in continuous(name)]
        times = duration(best["SciPy"]), duration(best[None]), f"{best['SciPy'] / best[None]:.2f}"
        lines.append([name, *times, ", ".join(costs)])
    return table(("function", "SciPy", "ours", "SciPy / ours", "value and gradient over value"), lines)


def main() -> int:
    """Print the page's section."""
    warnings.simplefilter("ignore")
    print("## Special functions\n")
    print(conditions("numpy", "scipy", "torch", "jax") + "\n", flush=True)
    if "--all" in sys.argv[1:]:
        print(everything())
        return 0
    names = [name for name in (*ONE_ARGUMENT, *UFUNCS) if name in sys.argv[1:]]
    print(
        "The value of each function, and the value with the gradient in one argument: eager, and compiled on "
        f"{THREADS} threads; ours in the last column is the faster of both. JAX is compiled for {BLOCK} elements at a "
        "time, where it is not slower. NumPy's functions are compiled with our own kernels, and stand in SciPy's "
        "column themselves. *none*: the library lacks it; *wrong*: it differs from ours by more than "
        f"{AGREEMENT:g}; *{OVER}*: not waited for.\n"
    )
    print(chosen(names or (*ELEMENTARY, *CHOICE), [name for name in COMPLEX if not names or name in names]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
