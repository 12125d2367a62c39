"""Covariances, histograms and sets of values."""

from . import covariance as covariance
from . import histograms as histograms
from . import set_operations as set_operations

__all__: list[str] = []
