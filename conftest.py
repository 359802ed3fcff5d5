"""Settings that must stand before anything is imported."""

import os

from hypothesis import settings

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # without it scikit-learn skips its array checks
settings.register_profile("untimed", deadline=None)  # the machine may be busy with something else
settings.load_profile("untimed")
