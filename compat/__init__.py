"""Other people's interfaces, with derivatives."""

__all__: list[str] = []
