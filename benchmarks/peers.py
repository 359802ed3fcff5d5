"""The peers: installed one by one, so that one that does not come for this Python keeps nobody else away."""

import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

GROUP = Path(__file__).resolve().parents[1] / "pyproject.toml"


def requirements() -> dict[str, str]:
    """Return the bench group: name to requirement."""
    group = tomllib.loads(GROUP.read_text(encoding="utf-8"))["dependency-groups"]["bench"]
    return {requirement.split(">=")[0]: requirement for requirement in group}


def versions() -> dict[str, str]:
    """Return what each peer is at, trying to install those that are missing; 'absent: why' for those that stay so."""
    found = {}
    for name, requirement in requirements().items():
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = _install(name, requirement)
    return found


def _install(name: str, requirement: str) -> str:
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", requirement]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return version(name)
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return f"absent: {errors[-1].removeprefix('ERROR:').strip() if errors else 'pip could not install it'}"
