"""The scikit-learn door."""
