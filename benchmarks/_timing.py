"""Timing contestants against each other on a machine that others use as well, on one thread unless more are asked for.

Import it before NumPy: a BLAS reads its number of threads once, here from BENCHMARK_THREADS.
"""

from __future__ import annotations

import gc
import importlib.metadata
import os
import platform
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

__all__ = ["THREADS", "best_times", "conditions", "duration", "table"]

THREADS = int(os.environ.get("BENCHMARK_THREADS", "1"))
os.environ.update(dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(THREADS)))

BATCH_SECONDS = 2e-3
LEAST_ROUNDS = 3


def best_times(
    contestants: dict[Any, Callable[[], Any]], seconds: float, least_rounds: int = LEAST_ROUNDS
) -> dict[Any, float]:
    """Seconds a call of each contestant takes: the best of the rounds that fit in the given time.

    In a round each contestant runs one batch of calls.  So what disturbs the machine for a while disturbs all of them,
    and the best round is the least disturbed.  Batches grow as a contestant proves faster.  The garbage collector
    stays on, as it is for users; every other round goes backwards, so that nobody always cleans up behind the same.
    """
    gc.collect()
    rounds, end = 0, time.perf_counter() + seconds
    best = {name: _time_of(call, 1) for name, call in contestants.items()}
    while rounds < least_rounds or time.perf_counter() < end:
        order = list(contestants.items())
        for name, call in reversed(order) if rounds % 2 else order:
            best[name] = min(best[name], _time_of(call, max(1, round(BATCH_SECONDS / best[name]))))
        rounds += 1
    return best


def _time_of(call: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def conditions(*distributions: str) -> str:
    """The date, the machine and the versions, in one line."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in distributions]
    return ", ".join(
        [
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            f"{_processor()}, {os.cpu_count()} cores, {THREADS} used",
            f"Python {platform.python_version()}",
            *versions,
        ]
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    flags = {flag for line in lines if line.startswith("flags") for flag in line.split()}
    widest = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else ""
    return f"{model} with {widest}" if widest else model


def duration(seconds: float) -> str:
    """A time in microseconds or milliseconds, to three digits."""
    scale, unit = (1e6, "µs") if seconds < 1e-3 else (1e3, "ms")
    value = seconds * scale
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return " | ".join(["| " + first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]) + " |"

    rule = "|-" + "|".join("-" * (widths[0] + 1) if not k else "-" * (w + 1) + ":" for k, w in enumerate(widths)) + "|"
    return "\n".join([line(header), rule, *map(line, rows)])
