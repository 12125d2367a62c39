"""Each failure of SciPy's that `hazards` names is still there: a row whose test fails can go, as SciPy is fixed.

Every call is made of SciPy's own ufunc, in a process of its own with limits of memory and of time.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

from wirtinger import special
from wirtinger.special.scipy_repairs.hazards import HAZARDS, has_wrong_singles, is_even_in_c

SCRIPT = """
import resource, sys, time
import numpy as np
import scipy.special
resource.setrlimit(resource.RLIMIT_AS, (2 << 30,) * 2)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 2,) * 2)
nan = np.nan
print(*np.ravel(eval(sys.argv[1])))
"""
TOO_LONG = (-signal.SIGXCPU, -signal.SIGKILL)


def fate(call):
    """How a call of SciPy's ends: the name of a failure, or its values in words."""
    ended = subprocess.run([sys.executable, "-c", SCRIPT, call], capture_output=True, text=True, check=False)
    if ended.returncode in TOO_LONG:
        return "endless"
    if "memory" in ended.stderr:
        return "memory"
    return "crash" if ended.returncode < 0 else "nan" if "nan" in ended.stdout else ended.stdout


@pytest.mark.parametrize("row", HAZARDS, ids=lambda row: row.ufuncs[0])
def test_scipy_fails_there(row):
    assert fate(f"scipy.special.{row.ufuncs[0]}{row.call}") == row.does


def test_loops_of_single_precision_fail():
    assert fate("scipy.special.pro_ang1(1, 2, 1.5, np.float32(0.5))") == "endless"
    assert fate("scipy.special.mathieu_cem(3, np.float32(2), 10)") == "nan"


def test_negative_c_is_taken_for_0():
    assert scipy.special.pro_cv(1, 2, -1.5) == scipy.special.pro_cv(1, 2, 0.0)


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("row", HAZARDS, ids=lambda row: row.ufuncs[0])
def test_ours_return(row):
    w = getattr(special, row.ufuncs[0])(*row.call)
    assert np.all(np.isnan(w)) or row.reason is None


def test_names_are_ufuncs_and_no_two_rows_have_the_same():
    names = [name for row in HAZARDS for name in row.ufuncs]
    assert len(set(names)) == len(names)
    assert all(isinstance(getattr(scipy.special, name), np.ufunc) for name in names)
    families = {name for name in dir(scipy.special) if name.startswith(("pro_", "obl_", "mathieu_"))}
    ufuncs = {name for name in families if isinstance(getattr(scipy.special, name), np.ufunc)}
    assert all(map(has_wrong_singles, ufuncs))
    assert {name for name in ufuncs if is_even_in_c(name)} == set(HAZARDS[0].ufuncs)
    assert {name for name in ufuncs if is_even_in_c(name) or name[8:] not in "ab"} <= set(names)


def test_a_warning_is_given_once_and_where_the_value_is_nan():
    """Of one search for a quantile SciPy's function was asked up to three times, and each time it warned."""
    expected = -scipy.special.ndtri(0.3)  # at df -> 0 the sign of z + nc alone counts
    np.testing.assert_allclose(special.nctdtrinc(2e-13, 0.3, -0.4), expected, rtol=1e-9)
    for call in (lambda: special.nctdtrinc(0.5, 0.3, 1e9), lambda: special.nctdtrinc([0.5, 3.0], 0.3, [1e9, 2.0])):
        with pytest.warns(scipy.special.SpecialFunctionWarning, match="nctdtrinc is NaN") as told:
            assert np.isnan(np.ravel(call())[0])
        assert len(told) == 1
