"""xsf, the C++ headers behind SciPy's special functions, from CuPy's own package and made fit for NVRTC.

CuPy carries them and uses a few.  A changed copy of all of them is written beside CuPy's cache when the first of these
functions is asked for; nothing of them is kept in this package.  What changes:

* the C++ library is `standard_library.cuh`, instead of CUDA's, whose headers take seconds to parse;
* a complex number that is declared without a value is 0, as in C++, which amos counts on (`besj` declares one, sets
  its imaginary part and uses both);
* work space is of fixed size in the thread's own memory: the heap of a device holds 8 MB for all threads together;
* functions are calls: with NVRTC's inlining some of them take many minutes to compile;
* constants of double-double numbers are constant expressions, for a device has no initialization before a kernel runs.
"""

from __future__ import annotations

import os
import re
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

from ....base import DeviceError
from ...kernels import source_text

_INLINED = {
    *("error.h", "evalpoly.h", "numbers.h", "recur.h", "tools.h", "zlog1.h"),
    *("cephes/chbevl.h", "cephes/const.h", "cephes/dd_real.h", "cephes/polevl.h"),
}
"""Headers whose functions are short, or are given functions."""
_LEFT_OUT = {"config.h", "numpy.h", "fp_error_metrics.h"}

_TYPE = r"(?:T|void|int|bool|double|Status|std::complex<(?:T|double)>)"
_EVERYWHERE = (
    (r"(?m)^(\s*)inline (?!constexpr|namespace)", r"\1inline __noinline__ "),
    (r"XSF_HOST_DEVICE (?!inline|constexpr)", "XSF_HOST_DEVICE __noinline__ "),
    (r"XSF_HOST_DEVICE inline (?!constexpr)", "XSF_HOST_DEVICE inline __noinline__ "),
    (rf"(template <(?:[^<>]|<[^<>]*>)*>\n\s*)(?={_TYPE}\s)", r"\1__noinline__ "),
)
"""Functions that are not inlined."""

_OWNED = r"auto (\w+) = std::unique_ptr<([\w:<>]+)\[\]>\{new \(std::nothrow\) [\w:<>]+\[[^\]]*\](?:\(\))?\};"
_CHANGES = {
    "amos/amos.h": ((_OWNED, r"std::work_space<\2> \1;"),),
    "specfun/specfun.h": ((_OWNED, r"std::work_space<\2> \1;"),),
    "sphd_wave.h": (
        (r"\*eg;", r"eg[304];"),
        (r"eg = \(T \*\)malloc\(.*\);\n", ""),
        (r"if \(eg == NULL\)", r"if ((n - m) > 300)"),
        (r"free\(eg\);", ""),
    ),
    "par_cyl.h": (
        (r"T \*([dv]v);\n", r"T \1[2 * 304];\n"),
        (r"[dv]v = \(T \*\)malloc\(.*\);\n", ""),
        (r"if \(([dv]v) == NULL\)", r"if (num > 304)"),
        (r"free\([dv]v\);", ""),
    ),
    "zeta.h": ((r"static_cast<float>\(q\)\)\)", r"static_cast<double>(q)))"),),
    "cephes/dd_real.h": (
        (r"(explicit )?double_double\(double high", r"__device__ constexpr \1double_double(double high"),
        (r"(?m)^(\s*)const double_double ", r"\1constexpr double_double "),
    ),
}
"""By file the patterns that must be found in it, and what is put in their place."""


@cache
def folder() -> str:
    """Where the changed headers are; they are written when they are not there yet."""
    import cupy

    include = Path(cupy.__file__).parent / "_core" / "include" / "cupy"
    texts = {f"xsf/{name}": text for name, text in _changed(include / "xsf").items()}
    texts["xsf/config.h"] = source_text(__file__, "standard_library.cuh")
    texts |= {f"cupy/complex/{name}": text for name, text in _complex_numbers(include / "complex").items()}
    texts |= dict.fromkeys(("cmath", "cstdlib", "complex", "memory", "type_traits"), "#pragma once\n")
    digest = sha256("\0".join(f"{name}\0{text}" for name, text in sorted(texts.items())).encode()).hexdigest()[:16]
    parent = Path(os.environ.get("CUPY_CACHE_DIR") or Path.home() / ".cupy" / "kernel_cache")
    path = parent / f"wirtinger-xsf-{digest}"
    if not path.is_dir():
        _written(texts, parent, path)
    return str(path)


def _written(texts: dict[str, str], parent: Path, path: Path) -> None:
    """Write the files into a folder that appears at once, for other processes may be at it."""
    parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=parent, prefix="wirtinger-xsf-"))
    for name, text in texts.items():
        file = temporary / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    try:
        temporary.rename(path)
    except OSError:
        if not path.is_dir():
            raise


def _changed(source: Path) -> dict[str, str]:
    """The text of every header, by its name."""
    texts = {}
    for file in sorted(source.rglob("*.h")):
        name = file.relative_to(source).as_posix()
        if name in _LEFT_OUT:
            continue
        text = file.read_text(encoding="utf-8")
        for pattern, replacement in _CHANGES.get(name, ()):
            text = _replaced(name, text, pattern, replacement)
        if name not in _INLINED:
            for pattern, replacement in _EVERYWHERE:
                text = re.sub(pattern, replacement, text)
        texts[name] = text
    missing = set(_CHANGES) - set(texts)
    if missing:
        raise _unknown_version(f"has no {', '.join(sorted(missing))}")
    return texts


def _complex_numbers(source: Path) -> dict[str, str]:
    """CuPy's headers of complex numbers."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in sorted(source.glob("*.h"))}
    called = r"__host__ __device__ inline (complex<\w+> (?:\w+|operator/)\()"
    texts = {name: re.sub(called, r"__host__ __device__ __noinline__ inline \1", text) for name, text in texts.items()}
    zero = "inline __host__ __device__ complex() : m_data{} {}"
    return texts | {"complex.h": _replaced("complex.h", texts["complex.h"], r"inline complex\(\) = default;", zero)}


def _replaced(name: str, text: str, pattern: str, replacement: str) -> str:
    changed, count = re.subn(pattern, replacement, text)
    if not count:
        raise _unknown_version(f"has {name} without {pattern!r}")
    return changed


def _unknown_version(reason: str) -> DeviceError:
    import cupy

    return DeviceError(
        f"CuPy {cupy.__version__} {reason}, so its special functions cannot be made for this version of wirtinger, "
        "which knows those of CuPy 14.2. Install that, or compute on the CPU: wirtinger.to_host(x)."
    )
