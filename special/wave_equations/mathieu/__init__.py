"""Mathieu functions."""
