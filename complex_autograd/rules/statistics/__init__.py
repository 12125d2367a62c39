"""Covariances, histograms and sets of values."""

__all__: list[str] = []
