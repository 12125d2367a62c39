"""Sparse Poisson: value and gradient in the matrix and the right side, beside SciPy's solve alone.

    .venv/bin/python benchmarks/ecosystem/sparse_poisson.py --side 1000

The loss is the energy `b @ u / 2` with `A u = b`, where `A` is the five-point operator on a square of points: its
gradient is taken in all stored values of `A` and in `b`.  SciPy's solve is `splu(A).solve(b)`, and `spsolve(A, b)`,
with the same order of columns.  Each is run in a process of its own, whose largest memory is that of all it did.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy
import scipy.sparse
import scipy.sparse.linalg


def poisson(side: int) -> tuple[scipy.sparse.csc_array, numpy.ndarray]:
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    eye = scipy.sparse.eye_array(side)
    matrix = scipy.sparse.csc_array(scipy.sparse.kron(line, eye) + scipy.sparse.kron(eye, line))
    return matrix, numpy.random.default_rng(0).standard_normal(side * side)


def by_scipy(matrix, b, permc: str):
    return scipy.sparse.linalg.splu(matrix, permc_spec=permc).solve(b) @ b / 2


def by_spsolve(matrix, b, permc: str):
    return scipy.sparse.linalg.spsolve(matrix, b, permc_spec=permc) @ b / 2


def by_wirtinger(matrix, b, permc: str):
    from wirtinger import value_and_grad
    from wirtinger.scipy.sparse.linalg import spsolve

    def energy(matrix, b):
        return spsolve(matrix, b, permc_spec=permc) @ b / 2

    return value_and_grad(energy, argnums=(0, 1))(matrix, b)


GRADIENT = "value and gradient"
RUNS = {"SciPy's splu and solve": by_scipy, "SciPy's spsolve": by_spsolve, GRADIENT: by_wirtinger}


def peak() -> float:
    """The largest memory of this process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def run(name: str, side: int, permc: str, rounds: int) -> None:
    RUNS[name](*poisson(20), permc)  # imports
    matrix, b = poisson(side)
    before, seconds = peak(), []
    for _ in range(rounds):
        start = time.process_time()
        RUNS[name](matrix, b, permc)
        seconds.append(time.process_time() - start)
    print(json.dumps({"seconds": min(seconds), "before": before, "peak": peak(), "nonzeros": int(matrix.nnz)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--side", type=int, default=300)
    parser.add_argument("--permc", default="COLAMD", help="as splu takes permc_spec")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--run", choices=RUNS, help="one of them, in this process")
    options = parser.parse_args()
    if options.run:
        run(options.run, options.side, options.permc, options.rounds)
        return
    found = {}
    for name in RUNS:
        command = [sys.executable, __file__, *sys.argv[1:], "--run", name]
        found[name] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(f"{name:22} {found[name]['seconds']:8.2f} s   {found[name]['peak']:6.2f} GB at most", flush=True)
    print(f"{options.side**2:,} unknowns (a dense matrix would have {options.side**4 * 8 / 1e9:,.0f} GB)")
    for name in RUNS:
        if name != GRADIENT:
            print(f"{found[GRADIENT]['seconds'] / found[name]['seconds']:.2f} times {name}")


if __name__ == "__main__":
    main()
