"""`docs/determinism.md`, written from the policy table."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from .families import FAMILY_OF, MEMBERS, PREFIXES
from .levels import Level
from .table import TABLE

_BACKENDS = {"numpy": "CPU: NumPy and SciPy", "cupy": "NVIDIA GPU: CuPy"}

_INTRODUCTION = """\
# Determinism

<!-- Written by `python -m wirtinger.determinism > docs/determinism.md`; a test compares it with the policy table. -->

```python
from wirtinger.determinism import deterministic, digest, use_deterministic_algorithms

use_deterministic_algorithms(True)  # the whole process, every thread; True is "run"

with deterministic("portable"):  # this block; also a decorator, also of coroutines
    x = wirtinger.sort(data)

print(digest(x))  # compare bits between runs and machines
```

With the flag on, every operation keeps the level that was asked for: as it is, by a slower route, or it raises a
`DeterminismError` that names the operation, the level asked, the best there is, the reason and what to do instead.
`warn_only=True` takes the best there is and warns once per operation.

## The levels

Each level includes the ones before it. Two results are equal in every bit if nothing changed but what the level names.

| level | the bits survive |
|---|---|
| `"run"` | a rerun: same machine, versions, threads, shapes, memory layout; whatever else runs at the same time |
| `"schedule"` | also: number of threads, load, alignment, memory order, strides, place in a batch, size of the batch |
| `"portable"` | also: CPU model, BLAS library, operating system, C library; CPU and GPU agree |

The level of a gradient is the lowest among the operations of its differential and adjoint, which `"portable"` asks
one by one; of operations that are named, `determinism.minimum_level(ops, backend)`.

What no level covers: the sign and payload of a NaN; subclasses of NumPy's arrays, as masked ones; a random stream
without a seed, or drawn from by several threads; a number converted to a type of integers that cannot hold it; and
`emath`, whose results are complex where one element of an array asks for it. Extended precision (`longdouble`) and
Python objects get `"run"` at most. What does not pass through this package is not seen: `a @ b` and `a.sum()` of plain
arrays, and the functions of plain `numpy`; write `wirtinger.matmul` and `wirtinger.sum` where a level above `"run"` is
meant. The compiled functions of `wirtinger.scipy` refuse at `"portable"`, all but the Fourier transforms, which take
NumPy's way; at `"schedule"` they are called as they are, and not examined.

## What is promised today

* **CPU, `"run"`**: everything but the rows that say `none`. It is measured in every run of the test suite: repeats
  with fresh memory, four callers at once, a second process.
* **CPU, `"schedule"`**: what the table marks, by a route or a layout. Digests of values and gradients of all samples
  are compared for C, Fortran, strided, reversed and shifted operands; of items alone, in the first part of their stack
  and in another order; with 1, 2, 3, 4 and 7 threads; and, with the exhaustive tests, in twenty repeats by four callers
  at once. It needs the OpenBLAS of NumPy's and SciPy's wheels, which is held to one thread for the whole process while
  the level is in force anywhere. A row of a matrix product has its bits whatever rows are beside it; one right side of
  a linear system is not yet said to have those that it has among others.
  `eig`, `eigvals`, `sqrtm`, `logm` and `fractional_matrix_power` of a stack of real matrices are complex at this level,
  since NumPy and SciPy decide by all items together whether they are real; those of one matrix are as without it.
  Not kept, in last bits: the gradient of the vectors of `eig` at a matrix with equal, nearly equal or tiny eigenvalues,
  and of `svd` at one whose singular values are all tiny; how it is kept accurate is chosen for the whole stack.
  Special functions whose elements share a number of terms compute each alone, slowly; which they are was found by
  measurement, at the samples and at random points.
* **CPU, `"portable"`**, which is compared under the same changes too: what is exact by its nature; arithmetic of real
  and complex numbers, each step one IEEE operation; products of matrices, by sums that are exact; reductions as
  trees, powers with one integer exponent, and Fourier transforms; `solve`, `inv`, `det`, `slogdet`, `cholesky`, `qr`,
  `eigh`, `svd`, `lstsq`, `pinv` and what is made of them by algorithms of our own, slowly: `eigh` and `svd` by
  Jacobi's rotations, whose sweeps the C library has too, with the same bits. In the rule of a derivative each operation
  asks for itself, so that a derivative is refused where one of its operations is. Digests of values and derivatives of
  all samples that do not refuse are compared with NumPy's SIMD, glibc's FMA and the BLAS kernel switched. The
  functions of `special` that the C library has kernels for, of real numbers: each kernel is a fixed sequence of IEEE
  operations, the same for AVX2, AVX-512 and NEON; where the library was not built they refuse. Other linear algebra
  and rounded functions refuse; compiled functions run as they are written. `optimize.minimize` takes its steps by an
  L-BFGS of our own, `method="L-BFGS-B"` without bounds: `notebooks/mri_reconstruction.py` has the same picture, bit
  for bit, on every CPU that was tried. NumPy's generators are portable streams of their seed for `random`, `integers`,
  `bytes`, `choice` and permutations, which are made of integers; normal and other distributions go through functions
  of the C library.
* **GPU**, `"run"`: the whole namespace. Sums by index (`add.at`, the gradient of indexing, weighted `bincount` and
  `histogram`) are sorted by place and added in the order of the index, where atomic additions arrive in any order;
  running sums go by blocks of a fixed size, where CUB's scan combines in any order; cuSOLVER is set to its
  deterministic mode, which CUDA has from 12.2 on. A product needs CUDA's default stream, or the environment variable
  `CUBLAS_WORKSPACE_CONFIG=:4096:8` (or `:16:8`) before the process starts, and refuses with cuBLAS's emulation; with
  cuTENSOR all refuse. Above `"run"` there are data movement and integers. Each operation of a derivative's rule asks
  for itself, and so do `a @ b`, `a.sum()` and the functions of plain `numpy` on arrays of a GPU. `tests/cuda` repeats
  all of it, on a GPU or, without one, on a stand-in that runs threads in random order. Sparse products of CuPy's are in
  no namespace here; the table names them.

## A function of yours

`determinism.check(f, *args, level="schedule")` runs a function, and its gradient where the result is one real number,
under what the level names: again with fresh memory; from `"schedule"` on also with copies of the arguments in other
memory layouts and alignments, and with 1, 2 and 3 threads. It reports what moved first, an operation or what a line
computes past this package, or what refuses, with the line. Arrays of its closure, its defaults and the globals that it
names are changed as its arguments are. Place in a stack, and other machines, are not tried.

## This machine

`python -m wirtinger.determinism --digests` prints a digest of each operation at each level, of operands that are made
without rounding, and compares those at `"portable"` with the golden ones, which every machine has: it tells which are
others, and fails. With the path of a file, with the digests in that file.

## Where the flag holds

`use_deterministic_algorithms` sets the process's level: it holds in every thread, present and future, outside of open
`deterministic` scopes. A `deterministic` scope belongs to the thread or asyncio task that opens it, and wins there
until it closes; tasks started inside inherit it, new threads do not (in free-threaded Python they do). To carry it
into a pool, decorate the function, `pool.map(deterministic("run")(f), items)`, or submit through
`contextvars.copy_context().run`. A generator cannot be decorated, and should not yield inside a scope.

## Extending the table

`determinism.register_policy(op, backend, level, route=None, reason=...)` adds a row,
`determinism.register_route(op, backend, level, function)` a kernel, called with the operation's own arguments, that
meets a higher level, and `determinism.register_wrapper(row, backend, level, wrapper)` a way to call all operations of a
row, `wrapper(function, *args, **kwargs)`, in which they do. `determinism.policy(op, backend, dtype)` shows what holds,
and `determinism.require` is what the engine calls: it returns the route, returns None if none is needed, or refuses.
"""


def policy_table_markdown() -> str:
    """Return the documentation of determinism as Markdown: what the levels mean, and the table of both backends.

    Examples
    --------
    >>> from wirtinger.determinism import policy_table_markdown
    >>> print(policy_table_markdown().splitlines()[0])
    # Determinism
    """
    first, *others = _INTRODUCTION.split("\n\n")
    sections = ["\n\n".join([first, _counts(), *others]).splitlines()]
    sections += [[f"## {title}", "", *_rows(backend), *_routes(backend)] for backend, title in _BACKENDS.items()]
    sections += [["## The families", "", *_families()]]
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _counts() -> str:
    """How many public operations meet `schedule` and `portable` on the CPU."""
    package = import_module(__package__.partition(".")[0])
    numpys = [op for op in FAMILY_OF if "." not in op and op in package.__all__]
    groups = {
        "NumPy's": numpys,
        "`linalg`'s": [f"linalg.{name}" for name in package.linalg.__all__ if name != "LinAlgError"],
        "`special`'s": [f"special.{name}" for name in package.special.__all__ if name not in _SETTINGS],
    }
    counts, below = [], []
    for name, ops in groups.items():
        lacking = [op for op in ops if TABLE.policy(op, "numpy").level < Level.SCHEDULE]
        counts.append(f"{len(ops) - len(lacking)} of {name} {len(ops)}")
        below += [f"`{op}`" for op in sorted(lacking)]
    fourier = [f"fft.{name}" for name in package.fft.__all__]
    asked = (*numpys, *fourier), groups["`linalg`'s"], groups["`special`'s"]
    real, complex_ = (
        [sum(TABLE.policy(op, "numpy", dtype).level >= Level.PORTABLE for op in ops) for ops in asked]
        for dtype in ("float64", "complex128")
    )
    exceptions = f"; not {', '.join(below)}" if below else ""
    return (
        f"Operations that meet `schedule` on the CPU: {', '.join(counts)}{exceptions}. `portable` is met "
        f"by {real[0]} of NumPy's, {real[1]} of `linalg`'s and {real[2]} of `special`'s for real numbers, those by the "
        f"C library, and by {complex_[0]}, {complex_[1]} and {complex_[2]} for complex ones; "
        "`determinism/golden_digests.txt` names those that a digest is kept of."
    )


_SETTINGS = {"SpecialFunctionError", "SpecialFunctionWarning", "errstate", "geterr", "seterr"}
"""What computes nothing."""


def _rows(backend: str) -> Iterator[str]:
    yield "| family or operation | bool, int | real | complex | layout | meets | more takes | why no more as it is |"
    yield "|---|---|---|---|---|---|---|---|"
    for (name, owner), row in TABLE.rows.items():
        if owner == backend:
            levels = " | ".join(map(str, (row.integer, row.real, row.complex)))
            level, wrapper = TABLE.wrappers.get((name, owner), (None, None))
            called = f"{wrapper.__name__} | {level}" if wrapper else "- | -"
            yield f"| {name} | {levels} | {called} | {row.route or '-'} | {row.reason} |"


def _routes(backend: str) -> Iterator[str]:
    existing = [
        f"`{op}` by `{function.__name__}` ({level})"
        for (op, owner), routes in TABLE.routes.items()
        if owner == backend
        for level, function in sorted(routes.items())
    ]
    yield ""
    yield f"Routes that exist: {', '.join(sorted(existing)) or 'none'}. What has none, meets what the table says."


def _families() -> Iterator[str]:
    for family, ops in sorted(MEMBERS.items()):
        yield f"* **{family}**: {', '.join(f'`{op}`' for op in sorted(ops))}"
    for prefix, family in sorted(PREFIXES.items()):
        yield f"* **{family}**: all else in `{prefix}`"
    yield "* **other ufunc methods**: `.reduce`, `.accumulate`, `.reduceat` and `.at` of all other ufuncs"
