"""The C library in `pip install`: built where there is a compiler, and left out with a message where there is none.

With WIRTINGER_KERNELS=none in the environment it is left out, and the wheel is one for every platform.
"""

import os
import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

NATIVE = "backends/native"
LIBRARY = os.environ.get("WIRTINGER_KERNELS") != "none"


class BuildModules(build_py):
    """Without this file, which lies in the folder of the package but is no part of it."""

    def find_package_modules(self, package, package_dir):
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "setup"]


class BuildLibrary(build_ext):
    """Compiles the library into the wheel, or into the source tree if the install is editable."""

    def run(self):
        native = runpy.run_path(f"{NATIVE}/build.py")
        inplace = self.inplace or self.editable_mode
        folder = Path(NATIVE).resolve() if inplace else Path(self.build_lib, "wirtinger", NATIVE).resolve()
        self.built = []
        try:
            self.built = [str(file) for file in native["build"](folder)]
        except (OSError, RuntimeError) as error:
            print(f"wirtinger is installed without its C library, on SciPy's functions: {error}", file=sys.stderr)

    def get_outputs(self):
        return self.built

    def get_output_mapping(self):
        return {}

    def get_source_files(self):
        return [str(file) for file in sorted(Path(NATIVE, "sources").iterdir())]


class Wheel(bdist_wheel):
    """One wheel a platform for every version of Python: the library knows nothing of it."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    cmdclass={"build_py": BuildModules, "build_ext": BuildLibrary, "bdist_wheel": Wheel},
    # An extension makes the wheel one of a platform.
    ext_modules=[Extension("wirtinger.backends.native.kernels", [])] if LIBRARY else [],
)
