"""Spheroidal wave functions."""
