"""Parabolic cylinder functions."""
