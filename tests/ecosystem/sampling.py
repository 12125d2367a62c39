"""A plugin for pytest that keeps every nth of the tests found, with n from the environment."""

import os


def pytest_collection_modifyitems(items):
    """Leave out the others."""
    items[:] = items[:: int(os.environ.get("ECOSYSTEM_EVERY", "1"))]
