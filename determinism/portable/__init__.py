"""The level `"portable"` on the CPU: fixed sequences of IEEE operations, and sums that are exact."""

from .routes import ROUTES, WRAPPERS

__all__ = ["ROUTES", "WRAPPERS"]
