# Everything runs in $(VENV), made on first use by the $(PYTHON) below: `make PYTHON=python3.13 test` picks another.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BENCHMARKS = $(wildcard benchmarks/[a-z]*.py benchmarks/parity/[a-z]*.py)

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-all lint types bench clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*  ## (.*)/make \1\t\2/p' Makefile | expand -t 16

demo: $(VENV)/test-installed  ## reconstruct a real MRI slice from a quarter of its data, and save the picture
	$(BIN)/python notebooks/mri_reconstruction.py

quick: $(VENV)/test-installed  ## a first answer in a minute and a half: imports, names, transforms, what changed
	$(BIN)/python tests/quick.py

test: lint types  ## what a change must pass: style, types, tests and doctests
	$(BIN)/python -m pytest tests

test-all: lint types  ## the same with the exhaustive tests
	$(BIN)/python -m pytest tests -m "exhaustive or not exhaustive"

lint: $(VENV)/test-installed  ## ruff: the rules and the format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# mypy names a package after its folder, and a clone may stand in any folder: it looks through a link called wirtinger.
types: $(VENV)/test-installed  ## mypy: strict on the engine
	@mkdir -p $(VENV)/types && ln -sfn "$(CURDIR)" $(VENV)/types/wirtinger
	MYPYPATH=$(VENV)/types $(BIN)/mypy

bench: $(VENV)/bench-installed  ## side by side with PyTorch and autograd
	@set -e; for script in $(BENCHMARKS); do echo "== $$script"; $(BIN)/python $$script; done

clean:  ## back to a fresh clone
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .ruff_cache .pytest_cache tests/.pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# No pip inside the environment is asked for, since Debian's python3 has pip but not always ensurepip.
$(VENV)/bin/python:
	$(PYTHON) -m venv --without-pip $(VENV)

$(VENV)/%-installed: pyproject.toml | $(VENV)/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check pip --editable ".[$*]"
	@touch $@
