"""Encoders as ONNX files: codes and scores in any program that runs ONNX, without this package.

The graph has the input ``x`` (float32, rows x features) and the outputs ``codes`` (uint8, rows x ceil(bits / 8), least
significant bit first, as ``transform`` gives them) and ``scores`` (float32, rows x bits, as ``decision_function``).
"""

import os
import pathlib
from typing import Any, Literal

import numpy as np

OPSET, IR_VERSION = 17, 8  # onnxruntime 1.12 and later
Precision = Literal["float64", "float32"]


def to_onnx(estimator: Any, path: str | os.PathLike[str], precision: Precision = "float64") -> None:
    """Writes the encoder of a fitted estimator, or of a Model, with linear or kernel functions.

    Parameters
    ----------
    estimator : fitted estimator or Model
    path : str or path-like
    precision : {"float64", "float32"}, default "float64"
        Of the sums in the graph. In float64 bits may differ from those of ``transform`` only where a score is within
        rounding of 0; float32 is for runtimes without float64, and differs more often with kernel functions.
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install structhash[onnx]") from error
    model = getattr(estimator, "model_", estimator)
    if not hasattr(model, "directions"):
        raise TypeError(
            f"to_onnx needs a fitted estimator or a Model, got {estimator!r:.100}; of a Pipeline give the last step, "
            "and export the steps before it with skl2onnx"
        )
    if model.directions is None:
        raise ValueError(
            f"only linear and kernel functions can be exported to ONNX, this model has {model.functions} functions"
        )
    if model.projection is not None:
        raise ValueError("models of sparse features cannot be exported to ONNX; fit on dense features")
    graph = _Graph(onnx, np.dtype(precision))
    x = graph.node("Cast", "x", to=graph.element(precision))
    inputs = x if model.anchors is None else _responses(graph, x, model)
    products = graph.node("MatMul", inputs, graph.constant(model.directions.T))
    scores = graph.node("Add", products, graph.constant(model.offsets))
    graph.node("Cast", scores, to=graph.element("float32"), output="scores")
    _pack(graph, scores, model.bits)
    content = graph.file(
        inputs={"x": ("float32", model.dimension)},
        outputs={"codes": ("uint8", (model.bits + 7) // 8), "scores": ("float32", model.bits)},
        description=f"{model.method}, {model.bits} bits, {model.functions} functions",
    )
    pathlib.Path(path).write_bytes(content)


def _responses(graph: "_Graph", x: str, model: Any) -> str:
    """exp(-gamma ||x - a||^2) for every anchor a, from ||x||^2 + ||a||^2 - 2 x . a."""
    anchors = model.anchors.astype(np.float64)
    own = graph.node("ReduceSumSquare", x, axes=[1], keepdims=1)
    doubled = graph.node("MatMul", x, graph.constant(-2.0 * anchors.T))
    squared = graph.node("Add", graph.node("Add", doubled, own), graph.constant((anchors**2).sum(axis=1)))
    scaled = graph.node("Mul", graph.node("Relu", squared), graph.constant(np.array(-float(model.gamma))))
    return graph.node("Exp", scaled)


def _pack(graph: "_Graph", scores: str, bits: int) -> None:
    """Bit i is [ score i > 0 ] and has the value 2^(i % 8) in byte i // 8."""
    ones = graph.node("Cast", graph.node("Greater", scores, graph.constant(np.array(0.0))), to=graph.element("float32"))
    bytes_per_code = (bits + 7) // 8
    whole = graph.node("Pad", ones, graph.constant(np.array([0, 0, 0, 8 * bytes_per_code - bits]), np.int64))
    eights = graph.node("Reshape", whole, graph.constant(np.array([0, bytes_per_code, 8]), np.int64))  # 0: as it is
    values = graph.node("Mul", eights, graph.constant(2.0 ** np.arange(8), np.float32))
    numbers = graph.node("ReduceSum", values, graph.constant(np.array([2]), np.int64), keepdims=0)
    graph.node("Cast", numbers, to=graph.element("uint8"), output="codes")


class _Graph:
    """A graph of ONNX that grows node by node."""

    def __init__(self, onnx: Any, dtype: np.dtype[Any]) -> None:
        self._onnx, self._dtype = onnx, dtype
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def element(self, name: str) -> Any:
        return self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(name))

    def constant(self, values: Any, dtype: Any = None) -> str:
        """An array, of the precision of the graph unless the type is given."""
        name = f"constant{len(self._constants)}"
        array = np.ascontiguousarray(values, dtype=dtype or self._dtype).reshape(np.shape(values))
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def node(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """The name of its result."""
        result = output or f"value{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, [result], **attributes))
        return result

    def file(self, inputs: dict[str, Any], outputs: dict[str, Any], description: str) -> bytes:
        helper = self._onnx.helper
        ends = [
            [
                helper.make_tensor_value_info(name, self.element(kind), ["rows", columns])
                for name, (kind, columns) in end
            ]
            for end in (inputs.items(), outputs.items())
        ]
        graph = helper.make_graph(self._nodes, "encoder", *ends, initializer=self._constants)
        versions = {"opset_imports": [helper.make_opsetid("", OPSET)], "ir_version": IR_VERSION}
        model = helper.make_model(graph, producer_name="structhash", doc_string=description, **versions)
        self._onnx.checker.check_model(model, full_check=True)
        return model.SerializeToString(deterministic=True)
