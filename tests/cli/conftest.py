"""A folder with small files and one trained model, made once for each worker."""

import pytest

from tests.cli.program import folder_of, run


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A folder with data files and fruit.json, a model."""
    folder = folder_of(tmp_path_factory.mktemp("cli"))
    done = run("fit", "fruit.csv", "-t", "kind", "--scale", "standard", "--out", "fruit.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder
