"""Certificates: a verdict on separability together with the few numbers that prove it, checked without a solver."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import NoneType
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.data.labels import encode
from rosenblatt.errors import DataError
from rosenblatt.theory.exact import combination_is_zero, exact_products
from rosenblatt.theory.explain import explain
from rosenblatt.theory.signed import Signed, near_one, rows_to_prove

FORMAT, VERSION = "rosenblatt-certificate", 1
GAMMA_RTOL = 1e-12  # gamma is a square root, so it is stored rounded


@dataclass(frozen=True, eq=False)
class Certificate:
    """A verdict on whether two classes can be separated by a hyperplane, and its proof.

    Attributes
    ----------
    separable : True, False, or None when time ran out before either could be shown.
    proved : whether the numbers below were verified in exact rational arithmetic.
    bias : the space: True for hyperplanes ``w·x + b = 0``, False for those through the origin.
    n, d : rows and features of the data.
    negative, positive : the labels of the two sides; ``negative`` is None for "all other classes".
    w, b, gamma : if separable, a separator and its margin ``min y (w·x + b) / ‖(w, b)‖`` (through the origin: /‖w‖).
    rows, weights : if not separable, at most d + 2 rows (d + 1 through the origin) with weights > 0 of sum 1 for which
        ``Σ weight_i y_i (x_i, 1) = 0`` (through the origin: ``Σ weight_i y_i x_i = 0``).
    integers : (w, b) multiplied up to integers, for data so nearly inseparable that it does not separate them any more
        once it is rounded to the floats w and b (others may); else empty. Decimals are the usual cause: 0.1 + 0.2 is
        not 0.3 in binary, so points meant to touch may not.
    found_by : "equal rows", "zero row", "perceptron", "nearest point", "exact pivots", or "".
    note : what is known when nothing is proved.

    Notes
    -----
    Exactly one of the two proofs exists (Gordan 1873). That d + 2 rows suffice is Kirchberger's theorem (1903).

    Examples
    --------
    >>> from rosenblatt import check
    >>> xor = check([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.separable, xor.proved, xor.rows.tolist(), [str(weight) for weight in xor.weights]
    (False, True, [0, 1, 2, 3], ['1/4', '1/4', '1/4', '1/4'])
    """

    separable: bool | None
    proved: bool
    bias: bool
    n: int
    d: int
    negative: Any
    positive: Any
    w: Doubles | None = None
    b: float = 0.0
    gamma: float | None = None
    rows: Ints | None = None
    weights: tuple[Fraction, ...] = ()
    integers: tuple[int, ...] = ()
    found_by: str = ""
    note: str = ""

    def verify(self, X: Any, y: Any) -> bool:
        """Say whether the numbers of this certificate prove its verdict for these data; see `verify`."""
        return verify(self, X, y)

    def to_json(self) -> str:
        """Return the certificate as JSON: floats round-trip, weights are strings "p/q"."""
        return json.dumps({"format": FORMAT, "version": VERSION, **_to_dict(self)})

    @staticmethod
    def from_json(text: str) -> "Certificate":
        """Return the certificate that `to_json` wrote."""
        with _naming_damage():
            return _from_dict(_parsed(text, FORMAT))

    def __str__(self) -> str:
        return explain(self)

    def __repr__(self) -> str:
        verdict = {True: "separable", False: "not separable", None: "unknown"}[self.separable]
        proof = ", proved" if self.proved else ""
        if self.gamma is not None:
            proof += f", gamma={self.gamma:.4g}"
        if self.rows is not None:
            proof += f", {len(self.rows)} rows"
        return f"Certificate({verdict}{proof})"


@dataclass(frozen=True, eq=False)
class Certificates(Mapping[Any, Certificate]):
    """One certificate per class, each against the rest: a mapping from label to `Certificate`.

    ``separable`` is True if every class is, False if some class is not, None if that is not known; ``proved`` says
    whether that verdict is proved.
    """

    of: dict[Any, Certificate]

    def __getitem__(self, label: Any) -> Certificate:
        return self.of[label]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.of)

    def __len__(self) -> int:
        return len(self.of)

    @property
    def separable(self) -> bool | None:
        verdicts = [one.separable for one in self.values()]
        return False if False in verdicts else None if None in verdicts else True

    @property
    def proved(self) -> bool:
        if self.separable is False:
            return any(one.proved for one in self.values() if one.separable is False)
        return all(one.proved for one in self.values())

    def verify(self, X: Any, y: Any) -> bool:
        """Say whether every certificate proves its verdict for these data."""
        return all(verify(one, X, y) for one in self.values())

    def to_json(self) -> str:
        """Return all certificates as JSON."""
        parts = [_to_dict(one) for one in self.values()]
        return json.dumps({"format": FORMAT + "s", "version": VERSION, "certificates": parts})

    @staticmethod
    def from_json(text: str) -> "Certificates":
        """Return the certificates that `to_json` wrote."""
        with _naming_damage():
            parts = [_from_dict(part) for part in _parsed(text, FORMAT + "s")["certificates"]]
            return Certificates({one.positive: one for one in parts})

    def __str__(self) -> str:
        return "\n\n".join(str(one) for one in self.values())

    def __repr__(self) -> str:
        return "Certificates({" + ", ".join(f"{label!r}: {one!r}" for label, one in self.items()) + "})"


def verify(certificate: Certificate | Certificates, X: Any, y: Any) -> bool:
    """Check a certificate against the data in exact rational arithmetic, without a solver.

    A separator is verified by the sign of every ``y (w·x + b)`` (and its margin by their minimum), a witness by
    ``weights > 0``, ``Σ weights = 1`` and ``Σ weight_i y_i (x_i, 1) = 0``. Floats are rationals, so nothing rounds.

    Returns
    -------
    bool : True if the numbers prove the verdict for exactly these data; an unknown verdict proves nothing.

    Examples
    --------
    >>> from rosenblatt import check
    >>> X, y = [[0], [1], [2]], [0, 1, 0]
    >>> certificate = check(X, y)
    >>> verify(certificate, X, y), verify(certificate, X, [0, 1, 1])
    (True, False)
    """
    if isinstance(certificate, Certificates):
        return certificate.verify(X, y)
    if not isinstance(certificate, Certificate):
        raise DataError(
            f"verify needs a Certificate, not a {type(certificate).__name__}; read one from a file with "
            "rosenblatt.theory.read_certificate(text)."
        )
    problem = _problem_of(certificate, X, y)
    if problem is None or certificate.separable is None:
        return False
    if certificate.separable:
        return _verify_separator(certificate, problem)
    weights = tuple(Fraction(weight) for weight in certificate.weights)
    return certificate.rows is not None and verify_witness(problem, certificate.rows, weights)


def margin_proved(problem: Signed, v: Doubles) -> float | None:
    """Return the margin of v if it separates, as exact arithmetic sees it, and floats hold it; else None."""
    if not np.isfinite(v).all():
        return None
    near, e = near_one(v)
    # A power of two changes no sign; as fractions also the smallest parts stay what they are.
    products = exact_products(problem, v if e == 0 else [Fraction(float(part)) / Fraction(2) ** int(e) for part in v])
    if (products.sign <= 0).any():
        return None
    with np.errstate(over="ignore"):
        margin = float(products.value.min() / np.linalg.norm(near))
    return margin if math.isfinite(margin) else None


def integer_margin(problem: Signed, v: Sequence[int]) -> float | None:
    """Return the margin of an integer vector if it separates, else None."""
    shift = max(part.bit_length() for part in v)  # the norm may exceed the largest float
    products = exact_products(problem, [Fraction(part, 2**shift) for part in v])
    if (products.sign <= 0).any():
        return None
    margin = float(products.value.min()) / math.sqrt(float(Fraction(sum(part * part for part in v), 4**shift)))
    return margin if math.isfinite(margin) else None


def verify_witness(problem: Signed, rows: Ints, weights: tuple[Fraction, ...]) -> bool:
    """Say whether the weights prove that no vector separates."""
    if len(rows) == 0 or len(rows) != len(weights) or len(set(rows.tolist())) != len(rows):
        return False
    if rows.min() < 0 or rows.max() >= problem.n or min(weights) <= 0 or sum(weights) != 1:
        return False
    return combination_is_zero(problem, rows, weights)


def _verify_separator(certificate: Certificate, problem: Signed) -> bool:
    w, gamma = certificate.w, certificate.gamma
    if certificate.integers:
        if len(certificate.integers) != problem.D:
            return False
        true = integer_margin(problem, certificate.integers)
        return true is not None and gamma is not None and abs(true - gamma) <= GAMMA_RTOL * true
    if w is None or gamma is None or w.shape != (problem.rows.d,) or (not problem.bias and certificate.b != 0):
        return False
    if not (np.isfinite(w).all() and math.isfinite(certificate.b)):
        return False
    v = problem.join(w, certificate.b)
    true = margin_proved(problem, v) if v.any() else None
    return true is not None and abs(true - gamma) <= GAMMA_RTOL * true


def _problem_of(certificate: Certificate, X: Any, y: Any) -> Signed | None:
    """Return the signed rows the certificate speaks about, or None if these data are not of that kind."""
    rows = rows_to_prove(X)
    classes, codes = encode(y, rows.n)
    labels = classes.tolist()
    if (rows.n, rows.d) != (certificate.n, certificate.d) or certificate.positive not in labels:
        return None
    if certificate.negative is not None and labels != [certificate.negative, certificate.positive]:
        return None
    sign = np.where(codes == labels.index(certificate.positive), 1.0, -1.0)
    return Signed(rows, sign, certificate.bias)


def _to_dict(one: Certificate) -> dict[str, Any]:
    return {
        "separable": one.separable,
        "proved": one.proved,
        "bias": one.bias,
        "n": one.n,
        "d": one.d,
        "negative": _plain(one.negative),
        "positive": _plain(one.positive),
        "w": None if one.w is None else one.w.tolist(),
        "b": one.b,
        "gamma": one.gamma,
        "rows": None if one.rows is None else one.rows.tolist(),
        "weights": [f"{_digits(weight.numerator)}/{_digits(weight.denominator)}" for weight in one.weights],
        "integers": [_digits(part) for part in one.integers],
        "found_by": one.found_by,
        "note": one.note,
    }


def _plain(label: Any) -> Any:
    """Return a label that JSON holds and gives back the same, or say which kinds those are."""
    if label is not None and not isinstance(label, (str, bool, int, float)):
        raise DataError(
            f"the label {label!r} is of type {type(label).__name__}, which JSON cannot hold; make the labels text, "
            "numbers or booleans, then check again."
        )
    return label


KINDS: dict[str, Any] = {
    "separable": (bool, NoneType), "proved": bool, "bias": bool, "n": int, "d": int, "b": (int, float),
    "gamma": (int, float, NoneType), "found_by": str, "note": str,
}  # fmt: skip


def _from_dict(part: dict[str, Any]) -> Certificate:
    fields = {key: value for key, value in part.items() if key not in ("format", "version")}
    pairs = [text.split("/") for text in fields["weights"]]
    fields["weights"] = tuple(Fraction(int(p, 0), int(q, 0)) for p, q in pairs)
    fields["w"] = None if fields["w"] is None else np.array(fields["w"], dtype=np.float64)
    fields["rows"] = None if fields["rows"] is None else np.array(fields["rows"], dtype=np.int64)
    fields["integers"] = tuple(int(part, 0) for part in fields["integers"])
    for name, kinds in KINDS.items():
        if not isinstance(fields[name], kinds):
            raise TypeError(f"{name} is {fields[name]!r}")
    return Certificate(**fields)


def _digits(value: int) -> str:
    """Return an integer as text: decimal, or hexadecimal where Python refuses to write so many decimals."""
    return str(value) if value.bit_length() < 2000 else hex(value)


@contextmanager
def _naming_damage() -> Iterator[None]:
    """Turn what a strange file makes the reader stumble over into one error that says so."""
    try:
        yield
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, ZeroDivisionError) as error:
        raise DataError(f"the certificate is damaged ({type(error).__name__}: {str(error)[:80]}).") from None


def _parsed(text: str, expected: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"this is not JSON (line {error.lineno}, column {error.colno}: {error.msg}).") from None
    if not isinstance(data, dict) or data.get("format") != expected:
        found = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise DataError(f"format is {found!r}, expected {expected!r}: write it with to_json().")
    if data.get("version") != VERSION:
        raise DataError(f"version {data.get('version')} of {expected}; this release reads version {VERSION}.")
    return data


def read_certificate(text: str) -> Certificate | Certificates:
    """Return what `to_json` wrote, a single certificate or one per class; anything else is a DataError.

    >>> from rosenblatt import check
    >>> read_certificate(check([[1], [2]], [0, 1]).to_json())
    Certificate(separable, proved, gamma=0.2774)
    """
    return Certificates.from_json(text) if f'"{FORMAT}s"' in text[:200] else Certificate.from_json(text)
