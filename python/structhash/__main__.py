"""`python -m structhash`, also installed as `structhash-py`: commands that need Python libraries.

Exit codes are those of the command `structhash`: 0 done, 2 wrong usage, 3 invalid data, 4 damaged file, 5 reading or
writing failed, 6 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

_EXAMPLES = """examples:
  python -m structhash encode --model model.shm --column features --parquet features/ --out codes/
  python -m structhash export clickhouse codes.shc --model model.shm --out clickhouse/
  python -m structhash export pgvector codes/ --bits 64 --model model.shm --out pgvector/
  python -m structhash export onnx model.shm --out encoder.onnx
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        return 0
    except KeyboardInterrupt:
        return _failed("interrupted; nothing was written", 6)
    except ModuleNotFoundError as error:
        return _failed(f"{error}; install it with pip install {_PACKAGE_OF.get(error.name or '', error.name)}", 2)
    except ImportError as error:
        return _failed(str(error), 2)
    except OSError as error:
        return _failed(str(error), 5)
    except ValueError as error:
        from .errors import CorruptFileError

        return _failed(str(error), 4 if isinstance(error, CorruptFileError) else 3)


def _failed(message: str, code: int) -> int:
    print(f"structhash: error: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m structhash",
        description="Encodes Parquet files and exports codes to search engines; see the command structhash for the rest.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_encode(commands.add_parser("encode", help="encode Parquet files of vectors into Parquet files of codes"))
    _add_export(commands.add_parser("export", help="write data files and SQL for a search engine, or the encoder"))
    return parser


def _add_encode(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, metavar="FILE", help="model file")
    parser.add_argument(
        "--parquet", required=True, nargs="+", metavar="FILE", help="Parquet files, or one folder of them"
    )
    parser.add_argument("--column", required=True, help="column of feature vectors")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="output folder; must not exist")
    parser.add_argument("--keep", nargs="*", metavar="COLUMN", help="other columns to keep (default: all)")
    parser.add_argument("--code", default="code", metavar="COLUMN", help="name of the column of codes (default: code)")
    parser.add_argument(
        "--form", choices=("binary", "bigint"), default="binary", help="column type of the codes (default: binary)"
    )
    parser.add_argument(
        "--threads", type=_positive, default=1, metavar="N", help="files to encode in parallel (default: 1)"
    )
    parser.set_defaults(run=_encode)


def _add_export(parser: argparse.ArgumentParser) -> None:
    targets = parser.add_subparsers(required=True, metavar="TARGET", dest="engine")
    engines = argparse.ArgumentParser(add_help=False)
    _add_engine_options(engines)
    for engine in ("clickhouse", "pgvector", "faiss", "parquet"):
        targets.add_parser(engine, parents=[engines], help=f"codes for {engine}")
    onnx = targets.add_parser("onnx", help="the encoder of a model with linear or kernel functions")
    onnx.add_argument("model", help="model file")
    onnx.add_argument("--out", required=True, metavar="FILE", help="output file")
    onnx.add_argument(
        "--precision", choices=("float64", "float32"), default="float64", help="of the sums (default: float64)"
    )
    onnx.set_defaults(run=_export_onnx)


def _add_engine_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("codes", help="code file, or Parquet file or folder with columns of ids and codes")
    parser.add_argument("--model", metavar="FILE", help="model file; its bit weights define the distance")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="output folder; must not exist")
    parser.add_argument("--table", default="codes", help="name of the table (default: codes)")
    parser.add_argument("--k", type=_positive, default=100, help="neighbours per query (default: 100)")
    parser.add_argument("--bits", type=_positive, help="bits per code in Parquet files (default: 8 per byte)")
    parser.add_argument(
        "--id-column", default="id", metavar="COLUMN", help="column of ids in Parquet files (default: id)"
    )
    parser.add_argument(
        "--code-column", default="code", metavar="COLUMN", help="column of codes in Parquet files (default: code)"
    )
    parser.add_argument(
        "--rows-per-file",
        type=_positive,
        default=10_000_000,
        metavar="N",
        help="max rows per output file (default: 10 million)",
    )
    parser.add_argument(
        "--partitions", type=_positive, default=8, metavar="N", help="partitions of the PostgreSQL table (default: 8)"
    )
    parser.add_argument(
        "--candidates",
        type=_positive,
        default=400,
        metavar="N",
        help="candidates to re-rank by weighted distance (default: 400)",
    )
    parser.add_argument("--cluster", default="default", metavar="NAME", help="ClickHouse cluster (default: default)")
    parser.add_argument(
        "--form", choices=("binary", "bigint"), default="binary", help="column type of codes in the Parquet output"
    )
    parser.set_defaults(run=_export)


def _encode(options: argparse.Namespace) -> None:
    from .parquet import encode

    source = options.parquet[0] if len(options.parquet) == 1 else options.parquet
    rows = encode(
        source,
        options.model,
        options.column,
        options.out,
        columns=options.keep,
        code=options.code,
        form=options.form,
        n_jobs=options.threads,
    )
    print(f"{rows} codes written to {options.out}")


def _export(options: argparse.Namespace) -> None:
    from .export import export

    choices = {name: value for name, value in vars(options).items() if name not in ("run", "engine", "codes", "out")}
    rows = export(options.engine, options.codes, options.out, **choices)
    print(f"{rows} codes for {options.engine} written to {options.out}")


def _export_onnx(options: argparse.Namespace) -> None:
    from ._core import Model
    from .interop import to_onnx

    model = Model.load(options.model)
    if os.path.exists(options.out) and os.path.samefile(options.model, options.out):
        raise ValueError(f"{options.out} is the model itself; choose another output file")
    to_onnx(model, options.out, options.precision)
    print(f"encoder of {model.bits} bits written to {options.out}")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {value}")
    return value


_PACKAGE_OF = {"faiss": "faiss-cpu"}


if __name__ == "__main__":
    sys.exit(main())
