"""Imports autograd: what every program on it pays."""

import autograd.numpy  # noqa: F401
