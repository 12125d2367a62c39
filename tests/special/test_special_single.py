"""Single precision of the functions whose single-precision loops in SciPy do not return, or give NaN.

Every case runs in one other process, which a limit of time ends: a loop that does not return fails its test.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

from wirtinger import jvp, special
from wirtinger.special.ufuncs.ufunc_rules import RULES

SECONDS = 100
MODE = (1, 3)
NAMES = sorted(f.__name__ for f in RULES if f.__name__.startswith(("mathieu_", "pro_", "obl_")))


def point(name):
    """Whole orders, and the other arguments: numbers that single precision has."""
    if name.startswith("mathieu_"):
        return (3, 2.25, 40.0 if name[8:] in ("cem", "sem") else 0.75)[: 2 if name[8:] in ("a", "b") else 3]
    x = 0.5 if "ang" in name else 1.75
    if name.endswith("cv") and name[4:] != "cv":
        return *MODE, 1.5, float(np.float32(getattr(scipy.special, name[:4] + "cv")(*MODE, 1.5))), x
    return (*MODE, 1.5) if name[4:] == "cv" else (*MODE, 1.5, x)


SCRIPT = """
import json, sys
import numpy as np, scipy.special
from wirtinger import jvp, special
from wirtinger.special.ufuncs import large_arrays
from wirtinger.special.ufuncs.ufunc_rules import RULES

large_arrays.LARGE, large_arrays.SMALLEST_PIECE = 1000, 500

def several(w):
    return w if isinstance(w, tuple) else (w,)

def measured(f, args, i=None):
    if i is None:
        w = f(*args)
    else:
        w = jvp(lambda t: f(*args[:i], t, *args[i + 1:]), (args[i],), (np.ones_like(args[i]),))[1]
    return [[str(np.asarray(x).dtype), float(np.ravel(x)[-1])] for x in several(w)]

found = {}
for name, args in json.loads(sys.argv[1]).items():
    ours, theirs = getattr(special, name), getattr(scipy.special, name)
    whole = [x if isinstance(x, int) else np.float32(x) for x in args]
    large = [np.full(2000, x, np.float32) for x in args]
    results = {
        "numbers": measured(ours, whole),
        "half": measured(ours, [np.float16(x) if isinstance(x, int) else np.float32(x) for x in args]),
        "arrays": measured(ours, [np.full(3, x, np.float32) for x in args]),
        "large arrays": measured(ours, large),
        "dtype": measured(lambda *a: ours(*a, dtype=np.float32), [float(x) for x in args]),
        "out": measured(lambda *a: ours(*a, out=tuple(np.empty(3, np.float32) for _ in range(ours.nout))),
                        [np.full(3, x, np.float32) for x in args]),
        "where": measured(lambda *a: ours(*a, out=tuple(np.empty(3, np.float32) for _ in range(ours.nout)),
                                          where=[False, True, True]), [np.full(3, x, np.float32) for x in args]),
    }
    for i, (argument, partial) in enumerate(zip(RULES[theirs].arguments, RULES[theirs].partials)):
        if callable(partial):
            results[f"d{argument}"] = measured(ours, whole, i)
            results[f"d{argument} of SciPy's"] = measured(theirs, whole, i)
    found[name] = results
    print(json.dumps({name: results}), flush=True)
"""


@pytest.fixture(scope="module")
def found():
    """What the process found before it ended or was ended."""
    points = json.dumps({name: point(name) for name in NAMES})
    with subprocess.Popen([sys.executable, "-c", SCRIPT, points], stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = process.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            lines = process.communicate()[0]
    return {name: results for line in lines.splitlines() for name, results in json.loads(line).items()}


@pytest.mark.parametrize("name", NAMES)
def test_single_precision(name, found):
    assert name in found, "it did not return in time, or the one before it did not"
    args, f = point(name), getattr(special, name)
    value = f(*args)
    value = value if isinstance(value, tuple) else (value,)
    for case, outputs in found[name].items():
        assert all(dtype == "float32" for dtype, _ in outputs), case
        if not case.startswith("d") or case == "dtype":
            np.testing.assert_allclose([x for _, x in outputs], value, rtol=1e-6, err_msg=case)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_in_single_precision(name, found):
    args, f = point(name), getattr(special, name)
    for i, argument in enumerate(RULES[getattr(scipy.special, name)].arguments):
        if f"d{argument}" not in found[name]:
            continue
        derivative = jvp(lambda t, i=i: f(*args[:i], t, *args[i + 1 :]), (args[i],), (1.0,))[1]
        derivative = np.array(derivative if isinstance(derivative, tuple) else (derivative,))
        for case in (f"d{argument}", f"d{argument} of SciPy's"):
            outputs = [x for _, x in found[name][case]]
            np.testing.assert_allclose(outputs, derivative, rtol=1e-6, err_msg=case)
