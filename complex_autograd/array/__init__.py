"""What a traced array is apart from its value: made, indexed, viewed, written into, handed to foreign code."""

__all__: list[str] = []
