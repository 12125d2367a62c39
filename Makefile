# Everything runs in $(VENV), made on first use by the $(PYTHON) below: `make PYTHON=python3.13 test` picks another.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# A process a core, each of which takes tests from the others when it has none left.
PARALLEL := -n auto --dist worksteal
# What Zig calls a platform, and what a wheel does: the oldest C library or system that it runs with. None for Windows:
# docs/dependencies.md.
PLATFORMS := \
	x86_64-linux-gnu.2.17=manylinux_2_17_x86_64 aarch64-linux-gnu.2.17=manylinux_2_17_aarch64 \
	x86_64-linux-musl=musllinux_1_2_x86_64 aarch64-linux-musl=musllinux_1_2_aarch64 \
	x86_64-macos.11.0=macosx_11_0_x86_64 aarch64-macos.11.0=macosx_11_0_arm64

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-all test-levels test-notebooks test-ecosystem test-pennylane test-pyodide test-wasi test-cuda cuda-installed kernels lint types bench wheels docs clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*  ## (.*)/make \1\t\2/p' Makefile | expand -t 16

demo: $(VENV)/test-installed  ## reconstruct a real MRI slice from a quarter of its data, and save the picture
	$(BIN)/python notebooks/mri_reconstruction.py

quick: $(VENV)/test-installed  ## a first answer in a minute and a half: imports, names, transforms, what changed
	$(BIN)/python tests/quick.py

test: lint types  ## what a change must pass: style, types, tests and doctests
	$(BIN)/python -m pytest tests $(PARALLEL)

test-all: lint types  ## the same with the exhaustive tests
	$(BIN)/python -m pytest tests $(PARALLEL) -m "not wheels"

test-levels: $(VENV)/test-installed  ## the derivatives of every operation with the flag of determinism on; what refuses is skipped
	@set -e; for level in run schedule portable; do echo "== $$level"; \
		WIRTINGER_TEST_LEVEL=$$level $(BIN)/python -m pytest tests/engine/test_every_op.py -k test_derivatives $(PARALLEL); done

test-notebooks: $(VENV)/test-installed  ## every notebook, from top to bottom
	$(BIN)/python -m pytest tests/package/test_notebooks.py $(PARALLEL) -m "not wheels"

test-cuda: cuda-installed  ## the tests of CUDA: on the GPU, or, without one, on a stand-in for it
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(VENV)-cuda/bin/python -m pytest tests/cuda $(PARALLEL)

# An environment of its own: autograd and what is built on it must not be needed by the other tests.
test-ecosystem:  ## suites of others' packages, on theirs and on ours (downloads; long); PACKAGES="control autograd": of these
	@$(MAKE) --no-print-directory VENV=$(VENV)-ecosystem $(VENV)-ecosystem/ecosystem-installed
	$(VENV)-ecosystem/bin/python tests/ecosystem $(PACKAGES)

# An environment of its own: PennyLane wants an older autograd than the suites above.
test-pennylane:  ## gradients of quantum circuits by PennyLane, on autograd and on ours (downloads)
	@$(MAKE) --no-print-directory VENV=$(VENV)-pennylane $(VENV)-pennylane/pennylane-installed
	cd tests/ecosystem && for runner in "" "-m wirtinger.compat.autograd"; do \
		$(abspath $(VENV)-pennylane)/bin/python $$runner -m pytest -q -c /dev/null --rootdir=. -W ignore pennylane_checks.py || exit; done

test-pyodide: $(VENV)/test-installed  ## the wheel for all machines, in Pyodide (Node.js; its packages come from its server)
	$(BIN)/python tests/webassembly pyodide

# An environment of its own: its one package is CPython with NumPy and SciPy, 400 MB.
test-wasi:  ## the same in WebAssembly without a browser or Node.js: CPython for WASI, with NumPy and SciPy
	@$(MAKE) --no-print-directory VENV=$(VENV)-wasi $(VENV)-wasi/wasi-installed
	$(VENV)-wasi/bin/python tests/webassembly wasi

# CuPy and NVIDIA's compiler have an environment of their own: without them, the other tests must pass.
cuda-installed:
	@$(MAKE) --no-print-directory VENV=$(VENV)-cuda $(VENV)-cuda/cuda-test-installed || \
		{ echo "CUDA IS NOT TESTED: CuPy or NVIDIA's compiler cannot be installed here (see above)."; exit 3; }

kernels: $(VENV)/bin/python  ## the C library, from what lies in backends/native/sources
	$(BIN)/python backends/native/build.py

lint: $(VENV)/test-installed  ## ruff: the rules and the format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# mypy names a package after its folder, and a clone may stand in any folder: it looks through a link called wirtinger.
types: $(VENV)/test-installed  ## mypy: strict, on the whole package
	@mkdir -p $(VENV)/types && ln -sfn "$(CURDIR)" $(VENV)/types/wirtinger
	MYPYPATH=$(VENV)/types $(BIN)/mypy

bench: $(VENV)/bench-installed  ## the times of the pages, beside PyTorch, JAX and autograd (hours); SECTIONS="overhead": of these
	$(BIN)/python benchmarks $(SECTIONS)

# Each from the sdist, unpacked afresh: nothing of one platform is left for the next. An install goes on without the C
# library where it cannot be compiled; a wheel that lacks it fails the test.
wheels: $(VENV)/wheels-installed  ## the sdist, a wheel a platform and one for all others, checked, into dist
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist
	WIRTINGER_KERNELS=none $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist dist/*.tar.gz
	@set -e; zig=$$($(BIN)/python -c "import ziglang; print(ziglang.__path__[0])")/zig; for platform in $(PLATFORMS); do \
		echo "$$platform"; WIRTINGER_KERNELS= CC="$$zig cc -target $${platform%=*}" $(BIN)/python -m pip wheel --quiet --no-deps \
			--config-settings=--build-option=--plat-name=$${platform#*=} --wheel-dir dist dist/*.tar.gz; done
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m pytest tests/package/test_wheels.py -m "wheels or exhaustive"

# An environment of its own: without it, all tests must pass.
docs:  ## the site, warnings as errors, into build/site/html
	@$(MAKE) --no-print-directory VENV=$(VENV)-docs $(VENV)-docs/docs-installed
	$(VENV)-docs/bin/python docs/site/stage.py build/site/source
	$(VENV)-docs/bin/python -m sphinx --quiet --fail-on-warning --keep-going -c docs/site build/site/source build/site/html

clean:  ## back to a fresh clone
	rm -rf $(VENV) $(VENV)-cuda $(VENV)-docs $(VENV)-ecosystem $(VENV)-pennylane $(VENV)-wasi build dist *.egg-info .hypothesis .mypy_cache .ruff_cache .pytest_cache tests/.pytest_cache
	rm -f backends/native/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# No pip inside the environment is asked for, since Debian's python3 has pip but not always ensurepip.
$(VENV)/bin/python:
	$(PYTHON) -m venv --without-pip $(VENV)

# The install builds the C library: again where its sources have changed.
$(VENV)/%-installed: pyproject.toml setup.py $(wildcard backends/native/build.py backends/native/sources/*) | $(VENV)/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check pip --editable ".[$*]"
	@touch $@
