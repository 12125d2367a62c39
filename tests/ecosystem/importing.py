"""Imports autograd: what every program on it pays."""

import autograd.numpy  # noqa: F401  (the import is what is measured)
