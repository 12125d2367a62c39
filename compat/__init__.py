"""The interfaces of other libraries, on this one: `wirtinger.compat.autograd`."""

__all__: list[str] = []
