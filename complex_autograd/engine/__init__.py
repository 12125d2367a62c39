"""Traces, levels and tapes; how a differential becomes forward and reverse mode. It imports no rule."""

__all__: list[str] = []
