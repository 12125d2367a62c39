"""The rules of NumPy's functions, one folder a subject."""

__all__: list[str] = []
