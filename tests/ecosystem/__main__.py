"""Suites of packages built on autograd, on it and on `wirtinger.compat.autograd`; of packages built on NumPy, traced.

`make test-ecosystem` runs this in an environment with the versions of the extra `ecosystem`.  The tests come from the
sdists on PyPI, into `build/ecosystem`; ceviche's has none, and legume's lacks the data that most of its tests read: of
these, `ceviche_checks.py` and `legume_checks.py` have a few of our own; `testing_kit_checks.py` has tests of these
packages by `wirtinger.testing`.  A test that passes on autograd and not here
must stand in `differences.txt` with its reason, and what stands there must differ.

Of opt_einsum and control every nth test, and of scikit-rf all, run plain, and again as `under_trace.py` says.  What
passes plain and not under a trace stands in `differences_under_trace.txt`.

    python tests/ecosystem [SUITE ...]

`make test-ecosystem PACKAGES="control scikit-rf"` runs some of them.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build" / "ecosystem"
COPIES = "wirtinger.rebound_packages."
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
# Of packages that pip installs Python keeps what it compiles; of this one, which lies here as source, it must as well.
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)


@dataclass(frozen=True)
class Suite:
    """Test files of a package.

    Attributes
    ----------
    package : str
        Its name on PyPI.
    folder : str
        Where its tests are in the sdist; nothing where they are ours.
    paths : tuple of str
        Which of them, relative to that folder.
    conftest : str
        What stands for its `conftest.py`.
    traced : str
        The name by which it is imported and copied, where it is run under a trace.
    every : int
        Which tests run: one of so many.
    """

    package: str
    folder: str
    paths: tuple[str, ...] = (".",)
    conftest: str | None = None
    traced: str | None = None
    every: int = 1


SUITES = {
    "autograd": Suite("autograd", "tests"),
    "pymanopt": Suite(
        "pymanopt",
        "tests",
        # without the tests of its other backends, and of all of them together
        (
            "manifolds",
            "optimizers",
            "backends/test_autograd.py",
            "backends/test_backend_tools.py",
            "backends/test_numpy.py",
            "test_multi_tools.py",
            "test_problem_backend_interface.py",
        ),
        "pymanopt_conftest.py",
    ),
    "grcwa": Suite("grcwa", "tests"),
    "legume": Suite("legume-gme", "tests", ("test_gme_grad.py", "test_primitives.py", "test_shapes.py")),
    "legume-ours": Suite("legume-gme", "", ("legume_checks.py",)),
    "ceviche-ours": Suite("ceviche", "", ("ceviche_checks.py",)),
    "opt_einsum": Suite("opt_einsum", ".", ("opt_einsum/tests",), traced="opt_einsum", every=10),
    # without the tests of its docstrings, which ask for numpydoc
    "control": Suite(
        "control", ".", ("control/tests", "--ignore=control/tests/docstrings_test.py"), traced="control", every=12
    ),
    # its sdist lacks the data that a quarter of these read, and all that `test_plotting.py` does
    "scikit-rf": Suite(
        "scikit-rf",
        ".",
        (
            *(f"skrf/{folder}tests" for folder in ("", "media/", "calibration/", "io/")),
            "--ignore=skrf/tests/test_plotting.py",
        ),
        traced="skrf",
    ),
}


def unpacked(suite: Suite) -> Path:
    """The folder with the tests of a suite, from the sdist of the installed version."""
    if not suite.folder:
        return HERE
    number = version(suite.package)
    folder = BUILD / f"{suite.package}-{number}"
    if not folder.exists():
        source = ["--no-deps", "--no-binary", suite.package, f"{suite.package}=={number}"]
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *source, "--dest", BUILD], check=True)
        stem = f"{suite.package.replace('-', '_')}-{number}"
        with tarfile.open(BUILD / f"{stem}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    found = next(folder.iterdir()) / suite.folder
    if suite.conftest:
        (found / "conftest.py").write_text((HERE / suite.conftest).read_text())
    return found


def outcomes(suite: Suite, *, ours: bool) -> tuple[dict[str, str], float, int]:
    """Of each test how it ended, the time of the CPU that all took, and in how many of them something was traced."""
    report = BUILD / "report.xml"
    report.unlink(missing_ok=True)
    runner = ["-m", "wirtinger.compat.autograd", "-m", "pytest"] if ours else ["-m", "pytest"]
    if ours and suite.traced:
        runner = [str(HERE / "under_trace.py"), suite.traced]
    options = [
        "-q",
        "-p",
        "sampling",
        "-p",
        "no:cacheprovider",
        "--tb=no",
        "--no-header",
        f"--junitxml={report}",
        "-W",
        "ignore",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [
            sys.executable,
            *runner,
            "--rootdir=.",
            "--confcutdir=.",
            "-c",
            os.devnull,
            *options,
            f"--junitxml={report}",
            *suite.paths,
        ],
        cwd=unpacked(suite),
        env=ENVIRONMENT | {"PYTHONPATH": str(HERE), "ECOSYSTEM_EVERY": str(suite.every)},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found, traced = {}, 0
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        name = f"{case.get('classname')}::{case.get('name')}".replace(COPIES, "")  # of a test that is named by a module
        found[name] = kinds[0] if kinds else "passed"
        traced += any(each.get("name") == "traced" and each.get("value") != "0" for each in case.iter("property"))
    return found, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, traced


def kit_failures() -> int:
    """Run the tests that need wirtinger, of its testing kit and of a copy of scikit-fem; what fails is shown."""
    runner = ["-m", "wirtinger.compat.autograd", "-m", "pytest"]
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.", "--confcutdir=.", "-W", "ignore"]
    command = [sys.executable, *runner, *options]
    files = "testing_kit_checks.py", "finite_element_checks.py"
    return sum(
        subprocess.run([*command, each], cwd=HERE, env=ENVIRONMENT, check=False).returncode != 0 for each in files
    )


def time_of_import(*, ours: bool) -> float:
    """The time of the CPU until a program has imported autograd, which is in all that `outcomes` measures."""
    runner = ["-m", "wirtinger.compat.autograd"] if ours else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *runner, str(HERE / "importing.py")], env=ENVIRONMENT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def expected_differences() -> dict[str, dict[str, str]]:
    """By suite the tests that pass on autograd and not here, with the reason of each."""
    found: dict[str, dict[str, str]] = {name: {} for name in SUITES}
    for file in ("differences.txt", "differences_under_trace.txt"):
        for line in (HERE / file).read_text().splitlines():
            if line and not line.startswith("#"):
                suite, _, rest = line.partition(" | ")
                test, _, reason = rest.rpartition(" | ")
                found[suite][test] = reason
    return found


def main(names: list[str]) -> int:
    """Run suites on both, print a line for each, and return how many tests differ without a reason."""
    if unknown := set(names) - SUITES.keys():
        sys.exit(f"no suite is called {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    BUILD.mkdir(parents=True, exist_ok=True)
    differences, wrong = expected_differences(), 0
    print("suite             tests  passed on theirs  passed here  traced here  CPU: theirs     here")
    for name in names or SUITES:
        theirs, their_time, _ = outcomes(SUITES[name], ours=False)
        ours, our_time, traced = outcomes(SUITES[name], ours=True)
        passed = [sum(end == "passed" for end in each.values()) for each in (theirs, ours)]
        print(
            f"{name:16s} {len(theirs):6d} {passed[0]:17d} {passed[1]:12d} {traced if SUITES[name].traced else '':12} "
            f"{their_time:10.1f} s {our_time:6.1f} s",
            flush=True,
        )
        lost = {test for test, end in theirs.items() if end == "passed" and ours.get(test) != "passed"}
        for test in sorted(lost ^ differences[name].keys()):
            print(f"    {test}: {ours.get(test, 'missing') if test in lost else 'differs no more'}")
            wrong += 1
    if not names:
        wrong += kit_failures()
    print(f"importing autograd: {time_of_import(ours=False):63.1f} s {time_of_import(ours=True):6.1f} s")
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
