"""`import rosenblatt` is light, and the public names are the ones we promise."""

import subprocess
import sys

import rosenblatt

HEAVY = ("sklearn", "scipy", "matplotlib", "pyarrow", "pandas", "click", "rich")


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sorted(m.split('.')[0] for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_loads_numpy_and_the_core_only():
    assert not loaded_after("import rosenblatt") & set(HEAVY)


def test_learning_needs_numpy_only():
    modules = loaded_after("import rosenblatt\nrosenblatt.learn([[0.0], [1.0]], [0, 1])")
    assert not modules & set(HEAVY)


def test_every_public_name_loads():
    assert len(rosenblatt.__all__) <= 25
    for name in rosenblatt.__all__:
        assert getattr(rosenblatt, name) is not None
    assert dir(rosenblatt) == sorted(rosenblatt.__all__)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(rosenblatt, "Perceptrom")
