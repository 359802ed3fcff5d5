"""The lab inside JupyterLab and marimo, as widget and as frame; needs them installed and a Chromium."""

import json
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.lab.browser import open_browser

pytestmark = pytest.mark.slow

CELL = "import rosenblatt\nshown = rosenblatt.lab([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1], bias=False)\n"


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install {'jupyterlab' if name == 'jupyter' else name}")
    return found


def wait_for(address: str, process: subprocess.Popen) -> None:
    for _ in range(240):
        assert process.poll() is None, "the notebook server ended"
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"{address} does not answer")


@pytest.fixture
def started(tmp_path):
    """Start a server in a directory of its own; stop it afterwards."""
    running = []

    def start(*command):
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.terminate()
        process.wait(timeout=20)


def off_host(requests, port):
    own = (
        f"http://127.0.0.1:{port}/",
        f"http://localhost:{port}/",
        f"ws://127.0.0.1:{port}/",
        "data:",
        "blob:",
        "about:",
    )
    return [url for url in requests if not url.startswith(own)]


def run_cell(page, index):
    """Press Shift+Enter in a cell until it runs: while a notebook is being opened, a key may go by."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(index)
    for _ in range(30):
        cell.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(1000)
        if "[ ]" not in cell.locator(".jp-InputPrompt").inner_text():
            return
    pytest.fail(f"cell {index} does not run")


def test_in_jupyterlab_the_widget_runs_and_python_hears_of_it(started, tmp_path):
    jupyter, port = program("jupyter"), free_port()
    pytest.importorskip("jupyterlab", reason="needs: pip install jupyterlab")
    cells = [
        CELL + "widget = shown.widget()\nwidget",
        "shown",
        "print('STEP', widget.state.get('step'), widget.hash[:12])",
    ]
    notebook = {
        "cells": [
            {"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": s}
            for i, s in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "lab.ipynb").write_text(json.dumps(notebook))
    options = ["--ServerApp.token=", "--ServerApp.password=", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    process = started(jupyter, "lab", f"--port={port}", f"--ServerApp.root_dir={tmp_path}", *options)
    wait_for(f"http://127.0.0.1:{port}/api", process)
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(60000)
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"http://127.0.0.1:{port}/lab/tree/lab.ipynb")
        for cell in range(2):
            run_cell(page, cell)
        widget = page.locator(".rb-lab").first
        widget.wait_for()
        widget.get_by_role("button", name="To the end", exact=True).click()
        widget.locator(".rb-numbers", has_text="(2, 4)").wait_for()
        widget.locator(".rb-figure").focus()
        page.keyboard.press("a")  # adds an example; in a notebook's command mode it would insert a cell
        widget.locator(".rb-shape").nth(4).wait_for(state="attached")
        widget.get_by_role("button", name="Undo").click()
        page.wait_for_timeout(600)
        assert page.locator(".jp-Notebook .jp-CodeCell").count() == 3
        page.frame_locator("iframe[title='Perceptron Lab']").locator(".rb-shape").first.wait_for(state="attached")
        run_cell(page, 2)
        page.get_by_text("STEP 12 d=-2,0,n;0,-").wait_for()
        assert off_host(requests, port) == []


def test_in_marimo_the_widget_runs_and_python_hears_of_it(started, tmp_path):
    marimo, port = program("marimo"), free_port()
    body = CELL.replace("\n", "\n    ")
    (tmp_path / "lab.py").write_text(
        "import marimo\napp = marimo.App()\n\n"
        f"@app.cell\ndef first():\n    import marimo as mo\n    {body}widget = mo.ui.anywidget(shown.widget())\n"
        "    widget\n    return mo, widget\n\n"
        "@app.cell\ndef second(mo, widget):\n    mo.md(f\"STEP {widget.value['state'].get('step')}\")\n    return\n\n"
        'if __name__ == "__main__":\n    app.run()\n'
    )
    options = ["--headless", "--no-token", "--host", "127.0.0.1", "-p", str(port)]
    process = started(marimo, "run", str(tmp_path / "lab.py"), *options)
    wait_for(f"http://127.0.0.1:{port}/", process)
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(60000)
        page.goto(f"http://127.0.0.1:{port}/")
        widget = page.locator(".rb-lab").first
        widget.wait_for()
        widget.get_by_role("button", name="To the end", exact=True).click()
        widget.locator(".rb-numbers", has_text="(2, 4)").wait_for()
        page.get_by_text("STEP 12").wait_for()
