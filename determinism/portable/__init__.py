"""The level `"portable"` on the CPU: fixed sequences of IEEE operations, and sums that are exact."""

from .routes import ROUTES

__all__ = ["ROUTES"]
