"""Equal and nearly equal values: entered only where some are found."""

__all__: list[str] = []
