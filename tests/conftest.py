"""The settings of Hypothesis: no deadline, and the same examples in every run of CI; and the level of determinism.

With WIRTINGER_TEST_LEVEL=schedule, or another level, the tests run with the flag on, and what refuses is skipped.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("development", deadline=None)
settings.register_profile("continuous-integration", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("continuous-integration" if os.environ.get("CI") else "development")

LEVEL = os.environ.get("WIRTINGER_TEST_LEVEL")

if LEVEL:
    from wirtinger import DeterminismError, use_deterministic_algorithms

    @pytest.fixture(autouse=True, scope="session")
    def flag():
        """The level of the whole process."""
        use_deterministic_algorithms(LEVEL)
        yield
        use_deterministic_algorithms(False)

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(pyfuncitem):
        """Skip what refuses."""
        try:
            return (yield)
        except DeterminismError as error:
            pytest.skip(str(error).splitlines()[0])
