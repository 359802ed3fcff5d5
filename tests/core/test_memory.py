"""Whatever Python does with the arrays and the sizes it gives, the core reads and writes its own memory alone."""

import array
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import rosenblatt._core as _core
from rosenblatt import DataError, learn
from rosenblatt.data import open as open_file
from rosenblatt.learning import Checkpoint

LEARNER = {
    "margin": 0.0, "rate": 1.0, "bias": True, "ties_positive": False, "order": "cyclic", "seed": 0, "average": False,
    "pocket": False, "journal": False, "journal_limit": 0, "first_class": 0,
}  # fmt: skip


def test_indices_that_a_callback_spoils_are_refused():
    X = sparse.random(5000, 200, 0.2, format="csr", random_state=0)
    y = np.random.default_rng(0).integers(0, 2, 5000)
    with pytest.raises(ValueError, match="column index 2000000000 is outside"):
        learn(X, y, max_passes=10**6, progress=lambda *_: X.indices.fill(2 * 10**9))


def test_buffers_stay_where_they_are_while_examples_look_at_them():
    values, columns, starts = array.array("d", [1.0] * 9), array.array("i", [0] * 9), array.array("i", [0, 9])
    examples = _core.Examples.sparse(values, columns, starts, 3)
    with pytest.raises(BufferError):
        columns.extend([0] * 1000)
    del examples
    columns.extend([0] * 1000)


@pytest.mark.parametrize("d", [-1, 2**48 + 1, 2**58, 2**63 - 1])
def test_columns_beyond_counting_are_refused(d):
    with pytest.raises(ValueError, match=r"beyond 2\^48"):
        _core.Examples.sparse(np.ones(1), np.array([0]), np.array([0, 1]), d)


@pytest.mark.parametrize(("vectors", "d"), [(2**20, 2**44), (2, 2**48), (1, 2**63 - 1)])
def test_weights_beyond_counting_are_refused(vectors, d):
    with pytest.raises(ValueError, match="no address"):
        _core.Learner(shape="ovr", vectors=vectors, d=d, **LEARNER)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer's own allocator ends the process")
@pytest.mark.parametrize("average", [False, True])
def test_a_step_for_which_memory_does_not_suffice_changes_nothing(average):
    story = f"""
import resource
import numpy as np
from rosenblatt import _core
online = _core.Online(margin=0.0, unit=1.0, bias=True, average={average})
x = np.ones(1 << 25)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), -1))
try:
    online.step(x, True)
    raise SystemExit("memory sufficed")
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
assert online.n_steps == 0
assert online.step(np.ones(3), True) is True
assert online.last[0].tolist() == [1.0, 1.0, 1.0]
"""
    done = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_weights_near_the_end_of_the_floats_are_learnt_from_blocks_too(tmp_path):
    path = tmp_path / "big.csv"
    path.write_text("a,b,t\n" + "1e120,1,y\n-1e120,2,n\n" * 20)
    with open_file(path, target="t", block_rows=7) as source:
        assert learn(source, max_passes=3).converged


@pytest.mark.parametrize(("column", "value"), [("row", -1), ("row", 4), ("rival", -7), ("step", 10**6)])
def test_a_checkpoint_with_a_damaged_journal_is_refused(tmp_path, column, value):
    X, y, place = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1], tmp_path / "c"
    learn(X, y, memory="vote", max_passes=1, checkpoint=Checkpoint(place))
    arrays = dict(np.load(place))
    arrays[f"learner0.{column}"][0] = value
    with place.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(DataError, match="journal is damaged"):
        learn(X, y, memory="vote", checkpoint=Checkpoint(place, resume=True))
