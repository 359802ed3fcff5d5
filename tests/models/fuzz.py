"""Mutated model files against the reader: `python -m tests.models.fuzz 20000` for the long run.

A mutated file is refused with a DataError, or it loads as a model that scores without a crash (a flipped bit in a
weight is a different, valid model). Anything else is a fault and stops the run with the bytes that caused it.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.models import load, save
from tests.models.zoo import fresh_rows, models, problem

TOKENS = (b"null", b"-1", b"1e999", b"[]", b"{}", b'""', b"true", b"9" * 30, b'"F64"', b'"I8"', b"[0,0]", b"[[[[")


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a damaged copy: bits flipped, bytes cut, doubled, swapped, or a JSON token put in."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(data))) if rng.random() < 0.4 else int(rng.integers(min(len(data), 800)))
        match int(rng.integers(6)):
            case 0:
                data[at] ^= 1 << int(rng.integers(8))
            case 1:
                data[at] = int(rng.integers(256))
            case 2:
                del data[at : at + int(rng.integers(1, 20))]
            case 3:
                data[at:at] = data[at : at + int(rng.integers(1, 20))]
            case 4:
                data = data[: max(at, 1)]
            case _:
                token = TOKENS[rng.integers(len(TOKENS))]
                data[at : at + int(rng.integers(0, 8))] = token
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def mutate_document(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a file whose container is sound and whose document is damaged."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    document = json.loads(header["__metadata__"]["document"])
    junk = [None, -1, 0, 3, 1e300, "", "x", [], {}, [1, 2], True, ["a", "b"], {"dtype": "str", "values": ["a", "b"]}]
    if rng.random() < 0.6:
        document[list(document)[rng.integers(len(document))]] = junk[rng.integers(len(junk))]
    else:
        names = [name for name in header if name != "__metadata__"]
        entry = header[names[rng.integers(len(names))]]
        entry[list(entry)[rng.integers(3)]] = junk[rng.integers(len(junk))]
    header["__metadata__"]["document"] = json.dumps(document)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def fuzz(n: int, *, seed: int = 0, directory: Path | None = None) -> dict[str, float]:
    """Read ``n`` mutated files; return how many were refused, how many loaded, and the slowest reading in seconds."""
    rng = np.random.default_rng(seed)
    folder = directory if directory is not None else Path(tempfile.mkdtemp())
    originals: list[tuple[str, bytes]] = []
    zoo = models()
    for name, model in zoo.items():
        for suffix in ("safetensors", "json") if name in ("named", "last-ovr-dense") else ("safetensors",):
            path = folder / f"original.{suffix}"
            save(model, path)
            originals.append((suffix, path.read_bytes()))
    for name, estimator in estimators().items():
        save(estimator, folder / f"{name}.safetensors")
        originals += [("safetensors", (folder / f"{name}.safetensors").read_bytes())] * 5
    rows = fresh_rows(3)
    counts: dict[str, float] = {"refused": 0, "loaded": 0, "slowest": 0.0}
    for _ in range(n):
        suffix, content = originals[rng.integers(len(originals))]
        sound = suffix == "safetensors" and rng.random() < 0.4
        content = mutate_document(content, rng) if sound else mutate(content, rng)
        path = folder / f"mutated.{suffix}"
        path.write_bytes(content)
        began = time.monotonic()
        try:
            model = load(path)
            if _width(model) == 5:
                with np.errstate(all="ignore"):
                    assert len(model.predict(rows)) == 3
            counts["loaded"] += 1
        except DataError:
            counts["refused"] += 1
        except Exception as error:
            (folder / "fault").write_bytes(content)
            raise AssertionError(f"{error!r} from {folder / 'fault'}") from error
        counts["slowest"] = max(counts["slowest"], time.monotonic() - began)
    return counts


def estimators() -> dict[str, object]:
    """Return fitted estimators: their files hold learning state too."""
    import warnings

    import rosenblatt

    X, y = problem()
    with warnings.catch_warnings(action="ignore"):
        return {
            "voted": rosenblatt.VotedPerceptron(max_iter=2).fit(X, y),
            "averaged": rosenblatt.AveragedPerceptron(max_iter=2).fit(X, y),
            "kernel": rosenblatt.KernelPerceptron(max_iter=2).fit(X, y),
        }


def _width(model: object) -> int:
    for part in ("rows", "support"):
        if hasattr(model, part):
            return int(getattr(model, part).d)
    if hasattr(model, "n_features_in_"):
        return int(model.n_features_in_)
    return int(model.w.shape[-1])  # type: ignore[attr-defined]


if __name__ == "__main__":
    print(fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
