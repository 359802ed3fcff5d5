"""Threads of Python that meet in one learner, and threads that cannot be had: an answer, never a crash."""

import os
import subprocess
import sys
import threading
from textwrap import dedent

import numpy as np
import pytest

from rosenblatt import Perceptron


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_learner_in_two_threads_is_refused():
    """The second would take away the rows that the first is reading."""
    X = np.random.default_rng(0).normal(size=(20_000, 50))
    y = (X[:, 0] > 0).astype(int)
    model = Perceptron().partial_fit(X, y, classes=[0, 1])
    said = set()

    def go_on():
        for _ in range(20):
            try:
                model.partial_fit(X, y)
            except ValueError as error:
                said.add(str(error))

    threads = [threading.Thread(target=go_on) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said <= {"this learner is learning in another thread; give each thread one of its own"}
    assert model.partial_fit(X, y).predict(X).shape == y.shape


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and /proc are Linux's")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer itself needs the memory")
def test_a_study_makes_do_with_the_threads_it_gets():
    printed = run("""
        import resource
        import numpy as np
        from rosenblatt import study

        X = np.random.default_rng(0).normal(size=(200, 5))
        y = (X[:, 0] > 0).astype(int)
        expected = study(X, y, runs=50, threads=1, max_passes=50)
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 60_000_000,) * 2)
        found = study(X, y, runs=50, threads=64, max_passes=50)
        print((found.updates == expected.updates).all())
    """)
    assert printed == "True\n"
