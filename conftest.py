"""Settings that must stand before anything is imported."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # without it scikit-learn skips its array checks
