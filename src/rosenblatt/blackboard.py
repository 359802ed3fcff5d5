"""The whole family of perceptrons in plain Python: what students read, and what the compiled core is tested against.

Everything works on ints, floats and Fractions alike (with Fractions the arithmetic is exact). Nothing here is fast
and nothing here imports anything of ours. Labels are -1 and +1, or 0..K-1 for the direct multiclass machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Number = Any  # int, float or Fraction: whatever adds and multiplies
Row = Sequence[Number]


def dot(x: Row, w: Row) -> Number:
    """Return w·x, summed in the library's canonical order: 16 partial sums, folded 16 → 8 → 4 → 2 → 1.

    In the plane this is plain ``x[0]*w[0] + x[1]*w[1]``.
    """
    part: list[Number] = [0] * 16
    for j, (xj, wj) in enumerate(zip(x, w, strict=True)):
        part[j % 16] += xj * wj
    while len(part) > 1:
        half = len(part) // 2
        part = [part[j] + part[j + half] for j in range(half)]
    return part[0]


class Generator:
    """SplitMix64 (Steele, Lea, Flood 2014): the one source of chance, alike in C++, Python and JavaScript."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return (z ^ (z >> 31)) * n >> 64

    def permutation(self, n: int) -> list[int]:
        place = list(range(n))
        for i in range(n - 1):
            j = i + self.below(n - i)
            place[i], place[j] = place[j], place[i]
        return place


class Linear:
    """f(x) = w·x + b, and m = y f(x)."""

    def __init__(self, X: Sequence[Row], y: Sequence[int], bias: bool, start: tuple[Row, Number] | None) -> None:
        self.X, self.y, self.bias = X, y, bias
        w0, b0 = start if start is not None else ([0] * len(X[0]), 0)
        self.w, self.b = list(w0), b0

    def judge(self, i: int) -> tuple[Number, int]:
        return self.y[i] * (dot(self.X[i], self.w) + self.b), -1

    def add(self, i: int, rival: int, tau: Number) -> None:
        for j, xj in enumerate(self.X[i]):
            self.w[j] += tau * self.y[i] * xj
        if self.bias:
            self.b += tau * self.y[i]

    def vector(self) -> tuple[Number, ...]:
        return (*self.w, self.b)


class Direct:
    """One vector per class; m = score of the true class − best score of a rival."""

    def __init__(
        self, X: Sequence[Row], y: Sequence[int], bias: bool, start: Sequence[tuple[Row, Number]] | None
    ) -> None:
        K = max(y) + 1
        self.y = y
        self.of = [Linear(X, [1] * len(X), bias, start[r] if start is not None else None) for r in range(K)]

    def judge(self, i: int) -> tuple[Number, int]:
        scores = [of.judge(i)[0] for of in self.of]
        rival = max((r for r in range(len(scores)) if r != self.y[i]), key=lambda r: scores[r])
        return scores[self.y[i]] - scores[rival], rival

    def add(self, i: int, rival: int, tau: Number) -> None:
        self.of[self.y[i]].add(i, -1, tau)
        self.of[rival].add(i, -1, -tau)

    def vector(self) -> tuple[Number, ...]:
        return tuple(v for of in self.of for v in of.vector())


class Dual:
    """f(x) = Σ alpha_i y_i K(x_i, x) + b with b = Σ alpha_i y_i: the kernel perceptron."""

    def __init__(self, X: Sequence[Row], y: Sequence[int], bias: bool, kernel: Callable[[Row, Row], Number]) -> None:
        self.y, self.one = y, 1 if bias else 0
        self.K = [[kernel(a, b) for b in X] for a in X]
        self.alpha: list[Number] = [0] * len(X)

    def judge(self, i: int) -> tuple[Number, int]:
        score = sum(a * y * (k + self.one) for a, y, k in zip(self.alpha, self.y, self.K[i], strict=True) if a)
        return self.y[i] * score, -1

    def add(self, i: int, rival: int, tau: Number) -> None:
        self.alpha[i] += tau

    def vector(self) -> tuple[Number, ...]:
        return tuple(self.alpha)


@dataclass
class Run:
    """What a run did. A vector is (w..., b), for Direct one after another, for Dual the alphas."""

    journal: list[tuple[int, int, Number, Number, int]] = field(default_factory=list)  # step, row, tau, m, rival
    voters: list[tuple[tuple[Number, ...], int]] = field(default_factory=list)  # vectors with survival counts
    pocket: tuple[Number, ...] = ()
    pocket_errors: int = 0
    converged: bool = False
    stopped_by: str = "max_passes"
    n_steps: int = 0
    n_mistakes: int = 0
    updates_per_pass: list[int] = field(default_factory=list)

    @property
    def last(self) -> tuple[Number, ...]:
        return self.voters[-1][0]

    @property
    def average(self) -> list[Number]:
        """Mean over all steps of the vector in force after each step."""
        return [sum(c * v[j] for v, c in self.voters) / self.n_steps for j in range(len(self.last))]

    def vote(self, scores: Sequence[Number]) -> int:
        """sign(Σ c_k sign(score_k)), sign(0) = +1, given the score of each voter."""
        return 1 if sum(c if s >= 0 else -c for (_, c), s in zip(self.voters, scores, strict=True)) >= 0 else -1


def learn(
    X: Sequence[Row],
    y: Sequence[int],
    *,
    margin: Number = 0,
    rate: Number = 1,
    bias: bool = True,
    start: Any = None,
    order: str = "cyclic",
    seed: int = 0,
    ties: str = "mistake",
    max_passes: int = 1000,
    max_updates: int | None = None,
    weights: Sequence[Number] | None = None,
    kernel: Callable[[Row, Row], Number] | None = None,
    direct: bool = False,
) -> Run:
    """Run the perceptron: update iff m <= margin, by w += tau·y·x and b += tau·y, until a clean pass.

    >>> X, y = [(-2, 0), (0, -2), (-2, 2), (2, 2)], [-1, -1, 1, 1]
    >>> run = learn(X, y, bias=False)
    >>> [v[:2] for v, _ in run.voters]
    [(0, 0), (2, 0), (2, 2), (0, 4), (2, 4)]
    >>> [row for _, row, *_ in run.journal], run.updates_per_pass, run.converged
    ([0, 1, 2, 0], [3, 1, 0], True)
    """
    n = len(X)
    f: Linear | Direct | Dual
    f = Dual(X, y, bias, kernel) if kernel else Direct(X, y, bias, start) if direct else Linear(X, y, bias, start)
    c = weights if weights is not None else [1] * n

    def asks(i: int, m: Number) -> bool:  # does example i ask for an update?
        wrong = (m < 0 or (m == 0 and y[i] < 0)) if ties == "positive" else m <= margin
        return bool(wrong and c[i] > 0)

    def errors() -> int:
        return sum(f.judge(i)[0] <= 0 for i in range(n))

    generator = Generator(seed)
    run = Run(voters=[(f.vector(), 0)], pocket=f.vector(), pocket_errors=errors())
    rows = list(range(n))
    for number in range(max_passes):
        if order == "shuffle" or (order == "shuffle_once" and number == 0):
            rows = generator.permutation(n)
        elif order == "random":  # with replacement
            rows = [generator.below(n) for _ in range(n)]
        elif order == "worst":  # the smallest m among those that ask for an update; "first" is the break below
            asking = [(m, i) for i in range(n) if asks(i, m := f.judge(i)[0])]
            rows = [min(asking)[1] if asking else 0]
        updates = 0
        for i in rows:
            m, rival = f.judge(i)
            run.n_mistakes += m <= 0
            if asks(i, m):
                tau = rate * c[i]
                f.add(i, rival, tau)
                run.journal.append((run.n_steps, i, tau, m, rival))
                run.voters.append((f.vector(), 0))
                if (wrong := errors()) < run.pocket_errors:  # the ratchet: only a strictly better vector
                    run.pocket, run.pocket_errors = f.vector(), wrong
                updates += 1
            run.n_steps += 1
            run.voters[-1] = (run.voters[-1][0], run.voters[-1][1] + 1)
            if len(run.journal) == max_updates:
                run.stopped_by = "max_updates"
                run.updates_per_pass.append(updates)
                return run
            if updates and order == "first":
                break
        run.updates_per_pass.append(updates)
        if updates == 0 and (order != "random" or not any(asks(i, f.judge(i)[0]) for i in range(n))):
            run.converged, run.stopped_by = True, "clean_pass"
            break
    return run


def one_vs_rest(X: Sequence[Row], y: Sequence[int], **options: Any) -> list[Run]:
    """Train K binary machines on classes 0..K-1, each with its own stop; all see the examples in the same order."""
    return [learn(X, [1 if label == k else -1 for label in y], **options) for k in range(max(y) + 1)]
