"""`compile`: runs a function once on symbols, which record its operations; later calls run the recorded program."""

__all__: list[str] = []
