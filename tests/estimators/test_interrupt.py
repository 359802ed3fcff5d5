"""Ctrl-C, by a real signal in a process of its own: what had been learnt is there, and the exception says so."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

STORY = """
    import numpy as np
    from rosenblatt import *
    from rosenblatt.errors import Interrupted
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), rng.integers(0, {K}, 400)
    machine = {machine}
    print("ready", flush=True)
    try:
        machine.fit(X, y)
    except KeyboardInterrupt as stop:
        assert isinstance(stop, Interrupted), type(stop)
        assert stop.outcome.n_updates == machine.n_updates_ > 0
    assert machine.stop_reason_ == "interrupted" and not machine.converged_
    assert machine.alpha_.sum() == machine.n_updates_ == machine.updates_per_pass_.sum()
    assert len(machine.updates_per_pass_) == machine.n_iter_
    assert machine.predict(X[:3]).shape == (3,)
    machine.partial_fit(X[:10], y[:10])
    print("fine")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent by number")
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize(
    "machine",
    [
        "AveragedPerceptron(max_iter=10**9)",
        "PocketPerceptron(max_iter=10**9, n_jobs=2)",
        "VotedPerceptron(max_iter=10**9, verbose=1)",
        "Perceptron(max_iter=10**9, early_stopping=True, n_iter_no_change=10**9)",
        "KernelPerceptron(kernel='linear', max_iter=10**9)",
        "KernelPerceptron(kernel='linear', max_iter=10**9, memory='averaged')  # in blocks",
    ],
)
def test_an_interrupted_fit_is_usable(machine, K):
    story = textwrap.dedent(STORY).format(machine=machine, K=K)
    if "in blocks" in machine:
        story = (
            "from rosenblatt.learning.kernel import learn_kernel\nlearn_kernel.__kwdefaults__['budget'] = 0\n" + story
        )
    if "early_stopping" in machine:
        story = story.replace("machine.partial_fit", "machine.set_params(early_stopping=False).partial_fit")
    process = subprocess.Popen(
        [sys.executable, "-c", story], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert process.stdout.readline() == "ready\n"
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert out == "fine\n", err
