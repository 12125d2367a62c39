"""CuPy, unmodified, without a GPU: a stand-in for NVIDIA's driver, runtime and libraries.

README.md says what it shows and what it does not.

`install()` must run before CuPy is imported.
"""

from __future__ import annotations

import sys

from .driver import Driver
from .options import Options, from_environment

__all__ = ["Options", "driver", "from_environment", "install", "installed"]

_driver: Driver | None = None


def installed() -> bool:
    """Whether CuPy runs on the stand-in."""
    return _driver is not None


def driver() -> Driver:
    """The installed one."""
    if _driver is None:
        raise RuntimeError("the stand-in for CUDA is not installed")
    return _driver


def install(options: Options | None = None) -> Driver:
    """Let CuPy run on the CPU of this machine.

    Raises
    ------
    RuntimeError
        If CuPy is imported already, or what the stand-in needs is missing.
    """
    global _driver
    if _driver is not None:
        return _driver
    if "cupy" in sys.modules:
        raise RuntimeError("the stand-in for CUDA must be installed before CuPy is imported")
    from . import compiler, libraries, runtime
    from .libraries import thrust

    options = options or from_environment()
    compiler.prepare(options.cache)
    _driver = Driver(options)
    runtime.redirect(_driver)
    libraries.load(options.cache, _driver)
    import cupy

    compiler.replace(options.cache)
    thrust.replace()
    if options.guard:
        cupy.cuda.set_allocator(None)
    return _driver
