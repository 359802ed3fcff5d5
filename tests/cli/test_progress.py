"""The line of progress, in a real terminal: there while a command works, gone afterwards, and nowhere else."""

import re
import signal

import pytest

from tests.cli.program import in_terminal, run, unstyled

ENDLESS = ("fit", "cross.csv", "--max-passes", "1000000000")
SECONDS = (*ENDLESS, "--max-seconds", "2")
ERASE = "\x1b[2K"


def test_a_terminal_sees_the_pass_its_updates_the_time_and_the_rate(files):
    shown, code = in_terminal(SECONDS, files)
    assert code == 0
    line = r"standard · pass [\d,]+ of 1,000,000,000 · \d+ updates? in it · 0:0\d · [\d.]+ [kM] rows/s"
    assert re.search(line, unstyled(shown))


def test_the_line_is_gone_when_the_result_comes(files):
    """After its last drawing the line is erased and the cursor is back, and then comes the result."""
    shown, _ = in_terminal(SECONDS, files)
    after = shown[shown.rindex("rows/s") :]
    assert ERASE in after[: after.index("Perceptron")]
    assert "\x1b[?25h" in after


@pytest.mark.parametrize("option", ["--json", "--quiet", "-q"])
def test_json_and_quiet_show_nothing(files, option):
    shown, code = in_terminal((*SECONDS, option), files)
    assert code == 0
    assert "rows/s" not in shown
    assert "note:" not in shown or option == "--json"


def test_a_pipe_gets_nothing(files):
    done = run(*SECONDS, cwd=files)
    assert "pass 1" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout


def test_quiet_keeps_warnings_and_errors(files):
    done = run("fit", "cross.csv", "--max-passes", "3", "-q", cwd=files)
    assert "warning: not converged" in done.stderr
    assert "next:" not in run("fit", "points.csv", "-q", cwd=files).stderr
    assert "error:" in run("fit", "nothing.csv", "-q", cwd=files).stderr


def test_ctrl_c_under_the_line_keeps_what_was_learnt(files):
    """The interrupt comes when the line is seen; the line goes, the model so far is shown, the exit code is 130."""

    pressed = []

    def press(process, shown):
        if "rows/s" in shown and not pressed:
            pressed.append(shown)
            process.send_signal(signal.SIGINT)

    shown, code = in_terminal(ENDLESS, files, after=press)
    assert code == 130
    text = unstyled(shown)
    assert "interrupted in pass" in text
    assert "weights" in text
    assert shown.rindex(ERASE) < shown.index("Perceptron")


def test_a_short_fit_does_not_import_rich(files):
    code = "import sys; from rosenblatt.cli import main; main(['fit', 'points.csv']); print('rich' in sys.modules)"
    shown, _ = in_terminal(["-c", code], files, program=())
    assert "False" in shown
