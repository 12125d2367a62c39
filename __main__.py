"""What a report of an error needs: ``python -m wirtinger``."""

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy
import scipy

from . import __version__, get_deterministic_level, get_num_threads
from .backends import device_named
from .backends.native import machine
from .backends.native.library import state

_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def _blas(package: ModuleType) -> str:
    """The library of linear algebra that NumPy or SciPy was built with."""
    library = package.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"{package.__version__}, with {library['name']} {library['version']}"


def _cores() -> str:
    """How many cores the machine has, and how many of them this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{os.cpu_count()}, of which this process may use {usable}"


def _threads() -> str:
    """The threads of this package, and what the environment asks of BLAS."""
    limits = [f"{name}={os.environ[name]}" for name in _LIMITS if name in os.environ]
    return f"{get_num_threads()}; for BLAS {', '.join(limits) or 'no limit is set'}"


def _report() -> Iterator[tuple[str, str]]:
    folder = Path(__file__).parent
    yield "wirtinger", f"{__version__}, in {folder}"
    yield "documentation", str(folder / "docs")
    yield "Python", f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    yield "platform", platform.platform()
    yield "NumPy", _blas(numpy)
    yield "SciPy", _blas(scipy)
    yield "cores", _cores()
    yield "threads", _threads()
    yield "kernels", state()
    yield "compile", machine.state()
    yield "CUDA", device_named("cuda").state()
    yield "determinism", f"level {get_deterministic_level()} in force"


for _name, _value in _report():
    print(f"{_name:15}{_value}")
