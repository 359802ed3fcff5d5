"""Take pictures of the lab in telling states, to be looked at: ``python tests/lab/pictures.py docs/pictures``."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from rosenblatt.lab import lab
from tests.lab.browser import open_browser

FOUR = ([[-2, 0], [0, -2], [-2, 2], [2, 2]], [-1, -1, 1, 1])
WIDE, PHONE = {"width": 1280, "height": 960}, {"width": 360, "height": 780}


def preset(page: Any, name: str, variant: str = "standard", order: str = "cyclic") -> None:
    """Choose examples, machine and order as a reader would."""
    page.get_by_label("Data", exact=True).select_option(name)
    page.get_by_label("Perceptron").select_option(variant)
    page.get_by_label("Order").select_option(order)


def keys(page: Any, *names: str) -> None:
    """Press keys in the figure."""
    page.locator(".rb-figure").focus()
    for name in names:
        page.keyboard.press(name)


def tab(page: Any, name: str) -> None:
    """Open a panel."""
    page.get_by_role("tab", name=name).click()


def layers(page: Any, *names: str) -> None:
    """Switch layers over."""
    page.locator("summary", has_text="Layers").click()
    for name in names:
        page.get_by_label(name).click()
    page.locator("summary", has_text="Layers").click()


def update(page: Any) -> None:
    keys(page, "ArrowRight", "ArrowRight", "ArrowRight")


def proof(page: Any) -> None:
    tab(page, "Proof")
    layers(page, "Best separator")
    keys(page, "End")


def xor(page: Any) -> None:
    preset(page, "xor")
    keys(page, "ArrowRight")


def kernel(page: Any) -> None:
    preset(page, "moons", "kernel")
    keys(page, "End")
    tab(page, "Weights")


def voted(page: Any) -> None:
    preset(page, "overlap", "voted")
    for _ in range(8):
        keys(page, "PageDown")
    tab(page, "Weights")


def margin(page: Any) -> None:
    preset(page, "blobs", "margin")
    layers(page, "Margin band", "The vector w", "Best separator")
    keys(page, "End")


def compared(page: Any) -> None:
    preset(page, "four")
    tab(page, "Compare")
    page.get_by_role("button", name="Four starts").click()
    page.get_by_role("button", name="Load run D").click()
    keys(page, "End")


def studied(page: Any) -> None:
    preset(page, "blobs")
    tab(page, "Study")
    page.get_by_role("button", name="Run the study").click()


def taught(page: Any) -> None:
    page.get_by_label("Lesson").first.select_option("4")
    page.get_by_role("button", name="No, never").click()


def shared(page: Any) -> None:
    keys(page, "End")
    tab(page, "Share")


STATES = {
    "lab-start": (lambda page: None, WIDE, "light"),
    "lab-update": (update, WIDE, "light"),
    "lab-proof": (proof, WIDE, "light"),
    "lab-xor": (xor, WIDE, "light"),
    "lab-kernel": (kernel, WIDE, "light"),
    "lab-voted": (voted, WIDE, "light"),
    "lab-margin": (margin, WIDE, "dark"),
    "lab-compare": (compared, WIDE, "light"),
    "lab-study": (studied, WIDE, "light"),
    "lab-lesson": (taught, WIDE, "light"),
    "lab-share": (shared, WIDE, "dark"),
    "lab-phone": (update, PHONE, "light"),
}


def take(folder: Path, names: list[str]) -> list[Path]:
    """Take the pictures into ``folder`` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory() as place, open_browser() as browser:
        address = lab(*FOUR, bias=False, title="Four points").save(Path(place) / "lab.html").as_uri()
        for name in names or STATES:
            act, size, scheme = STATES[name]
            context = browser.new_context(viewport=size, color_scheme=scheme, offline=True)
            page = context.new_page()
            page.goto(address)
            act(page)
            page.wait_for_timeout(900)  # the second beat
            made.append(folder / f"{name}.png")
            page.screenshot(path=made[-1], full_page=True)
            context.close()
    return made


if __name__ == "__main__":
    for path in take(Path(sys.argv[1]), sys.argv[2:]):
        print(path)
