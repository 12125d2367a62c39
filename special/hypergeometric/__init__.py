"""Hypergeometric functions in their parameters: Gauss, Kummer, Tricomi, the limit function, Wright."""

__all__: list[str] = []
