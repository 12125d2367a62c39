"""Other people's interfaces, with derivatives: `wirtinger.compat.autograd`, `wirtinger.compat.scipy`."""

__all__: list[str] = []
