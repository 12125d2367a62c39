"""Traces, levels and tapes; how a differential becomes forward and reverse mode. It imports no rule."""
