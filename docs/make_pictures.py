"""Draw every kind of picture into docs/pictures: `make pictures`. What the pages show is what the library draws."""

import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from rosenblatt import KernelPerceptron, Perceptron, VotedPerceptron, mistake_bound, study, trace
from rosenblatt import plot as p
from rosenblatt.datasets import iris, neither, w1, w2, xor

LARGEST = 120_000  # bytes of one picture
FACE = {"font.family": "DejaVu Sans", "mathtext.fontset": "dejavusans", "font.size": 10.5}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(FACE), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some of these runs are not meant to converge
        for name, draw in PICTURES.items():
            display = draw()
            first = display[0] if isinstance(display, tuple) else display
            save(first.figure_, folder / f"{name}.png")
            plt.close("all")
        save(readme(), folder / "readme.png", dpi=100)
        plt.close("all")
        p.animate(trace(*w2(), bias=False), size=(4.2, 4.6), dpi=80).save(folder / "update.gif")
    made = [*(f"{name}.png" for name in PICTURES), "readme.png", "update.gif"]  # those of the lab stand beside them
    for path in (folder / name for name in sorted(made)):
        print(f"{path.stat().st_size:8d}  {path}")
        assert path.stat().st_size < LARGEST, f"{path} is larger than {LARGEST} bytes"


def save(figure: Any, path: Path, dpi: int = 150) -> None:
    """Write a PNG of at most 256 colours: flat tints need no more, and the pages stay light."""
    p.save_picture(figure, path, dpi=dpi)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def two_species() -> tuple[Any, Any]:
    two = iris().only("setosa", "versicolor")
    return two.X[:, 2:], two.y


def rings() -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(160, 2))
    return X, np.where((X**2).sum(axis=1) > 1.3, "outside", "inside")


def blobs() -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = np.repeat([-1, 1], 40)
    X = rng.normal(size=(80, 2)) * [1.0, 0.7] + np.where(y[:, None] > 0, 1.0, -1.0) * [1.7, 1.3]
    keep = np.abs(X @ [0.79, 0.61]) > 0.35
    X, y = X[keep], y[keep]
    right = y * (X @ [0.79, 0.61]) > 0
    return X[right], y[right]


def boundary() -> Any:
    X, y = blobs()
    return p.BoundaryDisplay.from_estimator(Perceptron().fit(X, y), X, y, show_w=True)


def sliced() -> Any:
    two = iris().only("virginica", "versicolor")
    return p.BoundaryDisplay.from_estimator(Perceptron(max_iter=200).fit(two.X, two.y), two.X, two.y, features=(2, 3))


def projected() -> Any:
    two = iris().only("virginica", "versicolor")
    return p.BoundaryDisplay.from_estimator(Perceptron(max_iter=200).fit(two.X, two.y), two.X, two.y, project="w")


def kernel() -> Any:
    X, y = rings()
    return p.BoundaryDisplay.from_estimator(KernelPerceptron(kernel="rbf", gamma=1.0).fit(X, y), X, y)


def voted() -> Any:
    X, y = noisy()
    return p.BoundaryDisplay.from_estimator(VotedPerceptron(max_iter=10).fit(X, y), X, y)


def classes() -> Any:
    data = iris()
    X = data.X[:, 2:]
    model = Perceptron(max_iter=300, multi_class="direct").fit(X, data.y)
    return p.BoundaryDisplay.from_estimator(model, X, data.y)


def noisy() -> tuple[Any, Any]:
    X, y = blobs()
    y = y.copy()
    y[::11] *= -1
    return X, y


def survival() -> Any:
    X, y = noisy()
    return p.SurvivalDisplay.from_estimator(VotedPerceptron(max_iter=2).fit(X, y), X, y)


def kernel_dual() -> Any:
    X, y = rings()
    return p.DualDisplay.from_estimator(KernelPerceptron(kernel="rbf", gamma=1.0).fit(X, y), X, y)


def starts() -> Any:
    return p.StartsDisplay.from_study(study(*blobs(), runs=80, vary=("order", "start")))


def readme() -> Any:
    """Tell the story in one line: train, prove, draw."""
    run = trace(*w2(), bias=False)
    with mpl.rc_context({"font.size": 14}):
        figure = plt.figure(figsize=(16, 7))
        places = ((0.04, 0.205), (0.31, 0.325), (0.705, 0.26))
        train, prove, draw = (figure.add_axes((left, 0.115, width, 0.665)) for left, width in places)
        p.UpdateDisplay.from_trace(run, k=3, ax=train, show_legend=False, show_sentence=False)
        p.AngleDisplay.from_trace(run, ax=[figure.add_axes((2, 2, 0.1, 0.1)), prove])
        X, y = rings()
        model = KernelPerceptron(kernel="rbf", gamma=1.0).fit(X, y)
        p.BoundaryDisplay.from_estimator(model, X, y, ax=draw, show_legend=False)
        bound = mistake_bound(*w2(), bias=False).most
        stories = (
            ("1  train", "run = trace(X, y, bias=False)", "a mistake turns the line: $w_3 = w_2 + x_3$"),
            (
                "2  prove",
                "AngleDisplay.from_trace(run)",
                f"{run.counts.n_updates} updates, and never more than {bound}",
            ),
            ("3  draw", "BoundaryDisplay.from_estimator(model, X, y)", "the kernel perceptron on the same engine"),
        )
        for ax, (word, code, claim) in zip((train, prove, draw), stories, strict=True):
            ax.set_title("", loc="left")
            ax.set_anchor("SW")
            left = ax.get_position().x0
            figure.text(left, 0.93, word, fontsize=24, fontweight="bold", color="#1A1A1A")
            figure.text(left, 0.885, claim, fontsize=14, color="#1A1A1A")
            figure.text(left, 0.843, code, fontsize=12.5, family="monospace", color="#0072B2")
    return figure


PICTURES = {
    "boundary": boundary,
    "boundary-slice": sliced,
    "boundary-projected": projected,
    "boundary-kernel": kernel,
    "boundary-voted": voted,
    "boundary-classes": classes,
    "update": lambda: p.UpdateDisplay.from_trace(trace(*w2(), bias=False), k=2),
    "updates": lambda: p.UpdateDisplay.grid(trace(*w2(), bias=False)),
    "updates-start": lambda: p.UpdateDisplay.grid(trace(*w1(), bias=False, start=([1, -0.8], 0))),
    "strip": lambda: p.TraceStripDisplay.from_trace(trace(*w2(), bias=False)),
    "strip-long": lambda: p.TraceStripDisplay.from_trace(trace(*two_species(), order="shuffle", margin=2, exact=False)),
    "mistakes": lambda: p.MistakesDisplay.from_trace(
        {f"margin {m}": trace(*two_species(), margin=m, exact=False) for m in (0, 1)}
    ),
    "convergence": lambda: p.ConvergenceDisplay.from_study(study(*two_species(), runs=1000)),
    "convergence-ecdf": lambda: p.ConvergenceDisplay.from_study(study(*two_species(), runs=1000), kind="ecdf"),
    "angle": lambda: p.AngleDisplay.from_trace(trace(*w2(), bias=False)),
    "margins": lambda: p.MarginDisplay.from_trace(trace(*two_species(), exact=False)),
    "dual": lambda: p.DualDisplay.from_trace(trace(*w2(), bias=False)),
    "dual-kernel": kernel_dual,
    "starts": starts,
    "certificate": lambda: p.CertificateDisplay.from_data(*blobs()),
    "certificate-xor": lambda: p.CertificateDisplay.from_data(*xor()),
    "certificate-neither": lambda: p.CertificateDisplay.from_data(*neither()),
    "certificate-origin": lambda: p.CertificateDisplay.from_data(
        [[2, 1], [1.5, -1], [0, 2], [1, 2.5], [2.5, -2]], [1, -1, -1, 1, -1], bias=False
    ),
    "survival": survival,
}

if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
