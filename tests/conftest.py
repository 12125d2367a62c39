"""The settings of Hypothesis: no deadline anywhere, and the same examples in every run of CI."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("development", deadline=None)
settings.register_profile("continuous-integration", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("continuous-integration" if os.environ.get("CI") else "development")
