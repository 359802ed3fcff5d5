"""Peers side by side: ratios measured in one run, never absolute times."""
