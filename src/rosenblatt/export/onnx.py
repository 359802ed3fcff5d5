"""A model as an ONNX graph: linear, voted and kernel models; labels come out as the user's own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import rosenblatt
from rosenblatt._typing import Doubles, Labels
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError, MissingExtra
from rosenblatt.export.parts import FOLDS, LANES, model_of, vectors
from rosenblatt.models.kernel import KernelModel
from rosenblatt.models.kernels import Kernel
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.save import features_of
from rosenblatt.models.scored import LEAST_POSITIVE
from rosenblatt.models.voted import Ballot, VotedModel

OPSET = 17
IR_VERSION = 8
INPUTS = ("float64", "float32")
LARGEST = 1 << 31  # bytes of a file
MAX_ORDERED = 4096  # features; three nodes for every 16 of them


def to_onnx(model: Any, *, element_type: str = "float64", encoder: Encoder | None = None) -> bytes:
    """Return an ONNX model, serialized; write it to a file, or give it to ``onnxruntime.InferenceSession``.

    Parameters
    ----------
    model : a model or a fitted estimator; any kind but kernels that are Python functions.
    element_type : of the input ``X`` (examples × features): "float64" or "float32". The graph computes in float64
        either way, so that float32 rows get the label the library gives them.
    encoder : how columns became features. With it, ``X`` holds them before scaling, and the graph scales as the
        encoder does; without, ``X`` holds them as the model takes them. Levels, words and gaps are the caller's work.

    Notes
    -----
    Outputs: ``label`` (n,), int64, text, bool or float64 like the labels; ``scores`` (n,) for two classes, (n, K) for
    more. A score of exactly zero is positive, the first of equal classes wins. Linear models of up to 4096 features
    give the very floats of the library; other sums may be taken in the runtime's order, and then agree to rounding,
    and exactly wherever sums are exact, such as on whole numbers; in a vote of kernel machines a score within rounding of
    zero may turn the vote of that vector. The names of the features, where they are known, stand in the metadata.

    Raises ``MissingExtra`` without the package onnx.
    """
    if element_type not in INPUTS:
        raise DataError(f"element_type={element_type!r} is unknown; choose 'float64' or 'float32'.")
    graph = Graph()
    found = model_of(model)
    d, names = features_of(found)
    X = "X" if element_type == "float64" else graph.node("Cast", "X", to=graph.type("float64"))
    if encoder is not None:
        X = _scaled(graph, X, encoder, d)
    if isinstance(found, LinearModel):
        scores = _linear(graph, X, found)
    elif isinstance(found, VotedModel):
        W, b = vectors(found.start)
        start = _products_with(graph, X, W), b
        scores = _votes(graph, _products(graph, X, found.rows), found.ballots, start, found.bias, len(found.classes))
    else:
        scores = _kernel(graph, X, found)
    single = _n_scores(found) == 1
    label = _decide(graph, scores, found.classes, single)
    if single:
        scores = graph.node("Squeeze", scores, graph.constant(np.array([1])))
    facts = {"library": f"rosenblatt {rosenblatt.__version__}", "classes": repr(found.classes.tolist())}
    if names is not None:
        facts["features"] = repr(list(names))
    shape: tuple[Any, ...] = ("n",) if single else ("n", len(found.classes))
    outputs = {"label": (label, label_type(found.classes), ("n",)), "scores": (scores, "float64", shape)}
    return graph.finish({"X": (element_type, ("n", d))}, outputs, facts)


def _n_scores(model: LinearModel | VotedModel | KernelModel) -> int:
    if isinstance(model, KernelModel):
        return len(model.coefficients)
    return 1 if (model if isinstance(model, LinearModel) else model.start).w.ndim == 1 else len(model.classes)


class Graph:
    """Nodes and constants of a graph in the making; every value is known by its name."""

    def __init__(self) -> None:
        try:
            import onnx
        except ImportError:
            raise MissingExtra("onnx", "onnx", "to_onnx") from None
        self._onnx = onnx
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def type(self, name: str) -> int:
        """Return ONNX's number of an element type."""
        types = {"float64": "DOUBLE", "float32": "FLOAT", "int64": "INT64", "bool": "BOOL", "str": "STRING"}
        return int(getattr(self._onnx.TensorProto, types[name]))

    def constant(self, array: NDArray[Any]) -> str:
        """Add a constant tensor; return its name."""
        if array.nbytes >= LARGEST:
            raise DataError(
                f"the model takes {array.nbytes >> 20} MB and more in ONNX, whose files end at 2 GB; save it, or fit a "
                "machine that keeps fewer rows (AveragedPerceptron)."
            )
        name = f"c{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def number(self, value: float) -> str:
        """Add a constant scalar; return its name."""
        name = f"c{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(np.array(value, dtype=np.float64), name))
        return name

    def node(self, operation: str, *inputs: str, **attributes: Any) -> str:
        """Add an operation; return the name of its result."""
        name = f"v{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(operation, list(inputs), [name], **attributes))
        return name

    def finish(
        self,
        inputs: dict[str, tuple[str, tuple[Any, ...]]],
        outputs: dict[str, tuple[str, str, tuple[Any, ...]]],
        facts: dict[str, str],
    ) -> bytes:
        """Return the checked model as bytes."""
        helper = self._onnx.helper
        for name, (value, _, _) in outputs.items():
            self._nodes.append(helper.make_node("Identity", [value], [name]))
        graph = helper.make_graph(
            self._nodes,
            "rosenblatt",
            [helper.make_tensor_value_info(name, self.type(t), shape) for name, (t, shape) in inputs.items()],
            [helper.make_tensor_value_info(name, self.type(t), shape) for name, (_, t, shape) in outputs.items()],
            self._constants,
        )
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, producer_name="rosenblatt", opset_imports=opset, ir_version=IR_VERSION)
        helper.set_model_props(model, facts)
        self._onnx.checker.check_model(model)
        return bytes(model.SerializeToString())


def label_type(classes: Labels) -> str:
    """Return the element type of the labels: str, bool, int64 or float64."""
    values = classes.tolist()
    for kinds, name in (((str,), "str"), ((bool,), "bool"), ((int,), "int64"), ((float,), "float64")):
        if all(type(value) in kinds for value in values):
            return name
    raise DataError(f"the labels {values} are of several kinds; ONNX wants one.")


def _decide(graph: Graph, scores: str, classes: Labels, single: bool) -> str:
    if single:
        positive = graph.node("GreaterOrEqual", scores, graph.number(LEAST_POSITIVE))
        positive = graph.node("Cast", positive, to=graph.type("int64"))
        code = graph.node("Squeeze", positive, graph.constant(np.array([1])))
    else:
        code = graph.node("ArgMax", scores, axis=1, keepdims=0)
    dtype = {"str": object, "bool": bool, "int64": np.int64, "float64": np.float64}[label_type(classes)]
    return graph.node("Gather", graph.constant(np.array(classes.tolist(), dtype=dtype)), code)


def _scaled(graph: Graph, X: str, encoder: Encoder, d: int) -> str:
    """Return (X − shift)·factor, in float32 where the encoder's rows are."""
    if encoder.d != d:
        raise DataError(f"the encoder makes {encoder.d} features, but the model was trained on {d}; give its own.")
    if encoder.shift is not None:
        X = graph.node("Sub", X, graph.constant(encoder.shift))
    if encoder.factor is not None and d == 1:  # a runtime folds a lone factor into the next product as a float32
        X = graph.node("MatMul", X, graph.constant(encoder.factor.reshape(1, 1)))
    elif encoder.factor is not None:
        X = graph.node("Mul", X, graph.constant(encoder.factor))
    if encoder.dtype == "float32":
        X = graph.node("Cast", graph.node("Cast", X, to=graph.type("float32")), to=graph.type("float64"))
    return X


def _linear(graph: Graph, X: str, model: LinearModel) -> str:
    W, b = vectors(model)
    # Sum, not Add: a runtime compares a lone number with 0 as a float32, and drops the smallest biases.
    return graph.node("Sum", _products_with(graph, X, W), graph.constant(b))


def _products_with(graph: Graph, X: str, W: Doubles) -> str:
    return _sums_in_order(graph, X, W) if W.shape[1] <= MAX_ORDERED else _products(graph, X, Rows(W, W.shape[1]))


def _sums_in_order(graph: Graph, X: str, W: Doubles) -> str:
    """Return X·Wᵀ summed as the library sums: 16 partial sums by column modulo 16, folded 16 → 8 → 4 → 2 → 1.

    A runtime's matrix product adds in an order of its own; where the true sum is zero the label would follow its
    rounding.
    """
    v, d = W.shape
    groups = -(-d // LANES)
    padding = graph.constant(np.array([0, 0, 0, groups * LANES - d]))
    blocks = graph.node("Reshape", graph.node("Pad", X, padding), graph.constant(np.array([0, groups, LANES])))
    weights = np.pad(W, ((0, 0), (0, groups * LANES - d))).reshape(v, groups, LANES)
    total = ""
    for g in range(groups):
        part = graph.node("Gather", blocks, graph.constant(np.array([g])), axis=1)
        product = graph.node("Mul", part, graph.constant(weights[:, g]))
        total = graph.node("Add", total, product) if total else product
    last = graph.constant(np.array([2]))
    for half in FOLDS:
        ends = [graph.constant(np.array([value])) for value in (0, half, 2 * half)]
        parts = [graph.node("Slice", total, ends[k], ends[k + 1], last) for k in (0, 1)]
        total = graph.node("Add", *parts)
    return graph.node("Squeeze", total, last)


def _products(graph: Graph, X: str, rows: Rows) -> str:
    """Return the products of all examples with all rows; of sparse rows by the columns that hold something."""
    if rows.columns is not None:
        used = np.union1d(rows.columns, [0]).astype(np.int64)
        X, rows = graph.node("Gather", X, graph.constant(used), axis=1), rows.narrowed(used)
    return graph.node("MatMul", X, graph.constant(rows.dense().T))


def _kernel(graph: Graph, X: str, model: KernelModel) -> str:
    if not isinstance(model.kernel, Kernel):
        raise DataError(f"the kernel is {model.kernel!r}, a Python function; only named kernels can be exported.")
    K = _values(graph, X, model.support, model.kernel)
    if model.ballots:
        count = len(model.coefficients)
        start = _products(graph, X, Rows(np.zeros((count, model.support.d)), model.support.d)), np.zeros(count)
        return _votes(graph, K, model.ballots, start, model.bias, len(model.classes))
    return graph.node("Add", graph.node("MatMul", K, graph.constant(model.coefficients.T)), graph.constant(model.b))


def _values(graph: Graph, X: str, support: Rows, kernel: Kernel) -> str:
    """Return the kernel values between the examples and the support rows."""
    if kernel.name == "laplacian":
        rows = support.dense()
        apart = graph.node("Sub", graph.node("Unsqueeze", X, graph.constant(np.array([1]))), graph.constant(rows))
        distance = graph.node("ReduceSum", graph.node("Abs", apart), graph.constant(np.array([2])), keepdims=0)
        return graph.node("Exp", graph.node("Mul", distance, graph.number(-kernel.gamma)))
    products = _products(graph, X, support)
    if kernel.name == "linear":
        return products
    if kernel.name in ("poly", "polynomial", "sigmoid"):
        # A runtime folds a number that follows a product into it, as a float32: hence the minus between them.
        scaled = graph.node("Mul", graph.node("Neg", products), graph.number(-kernel.gamma))
        inner = graph.node("Add", scaled, graph.number(kernel.coef0))
        if kernel.name == "sigmoid":
            return graph.node("Tanh", inner)
        return graph.node("Pow", inner, graph.number(kernel.degree))
    squares = graph.node("ReduceSumSquare", X, axes=[1], keepdims=1)
    if kernel.name == "cosine":
        length = graph.node("Sqrt", squares)
        zero = graph.node("Equal", length, graph.number(0.0))
        length = graph.node("Where", zero, graph.number(1.0), length)
        norms = np.sqrt(support.squared_norms())
        own = graph.constant(np.where(norms == 0, 1.0, norms))
        return graph.node("Div", graph.node("Div", products, length), own)
    distance = graph.node("Add", graph.node("Mul", products, graph.number(-2.0)), squares)
    distance = graph.node("Add", distance, graph.constant(support.squared_norms()))
    distance = graph.node("Max", distance, graph.number(0.0))
    return graph.node("Exp", graph.node("Mul", distance, graph.number(-kernel.gamma)))


def _votes(
    graph: Graph, products: str, ballots: tuple[Ballot, ...], start: tuple[str, Doubles], bias: bool, n_classes: int
) -> str:
    """Return the balance of votes: a running sum over the updates, its sign or best class, weighted by survival.

    ``start``: the products with the start's vectors, and its biases.
    """
    total = [max(float(ballot.count.sum()), 1.0) for ballot in ballots]
    if ballots[0].gains is not None:
        ballot, parts = ballots[0], []
        gains, loses = np.asarray(ballot.gains), np.asarray(ballot.loses)
        for k in range(n_classes):
            sign = (gains == k).astype(np.float64) - (loses == k).astype(np.float64)
            step = ballot.step * sign
            running = _running(graph, products, start, k, ballot.row, step, bias)
            parts.append(graph.node("Unsqueeze", running, graph.constant(np.array([2]))))
        best = graph.node("ArgMax", graph.node("Concat", *parts, axis=2), axis=2, keepdims=1)
        wins = graph.node("Equal", best, graph.constant(np.arange(n_classes, dtype=np.int64)))
        votes = graph.node(
            "Mul", graph.node("Cast", wins, to=graph.type("float64")), graph.constant(ballot.count[:, None])
        )
        balance = graph.node("ReduceSum", votes, graph.constant(np.array([1])), keepdims=0)
        return graph.node("Div", balance, graph.number(total[0]))
    columns = []
    for k, ballot in enumerate(ballots):
        running = _running(graph, products, start, k, ballot.row, ballot.step, bias)
        side = graph.node(
            "Where",
            graph.node("GreaterOrEqual", running, graph.number(0.0)),
            graph.number(1.0),
            graph.number(-1.0),
        )
        votes = graph.node("Mul", side, graph.constant(ballot.count))
        balance = graph.node("ReduceSum", votes, graph.constant(np.array([1])), keepdims=1)
        columns.append(graph.node("Div", balance, graph.number(total[k])))
    return columns[0] if len(columns) == 1 else graph.node("Concat", *columns, axis=1)


def _running(
    graph: Graph, products: str, start: tuple[str, Doubles], k: int, row: NDArray[Any], step: Doubles, bias: bool
) -> str:
    """Return the scores of every vector passed through, start first: (n, updates + 1). The bias is added last."""
    sums = graph.node("Gather", start[0], graph.constant(np.array([k], dtype=np.int64)), axis=1)
    b = np.cumsum([start[1][k], *(step if bias else np.zeros(len(step)))])
    if len(row):
        moves = graph.node("Mul", graph.node("Gather", products, graph.constant(row), axis=1), graph.constant(step))
        sums = graph.node("CumSum", graph.node("Concat", sums, moves, axis=1), graph.constant(np.array(1)))
    return graph.node("Sum", sums, graph.constant(b))
