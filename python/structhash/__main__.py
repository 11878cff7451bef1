"""`python -m structhash`, also installed as `structhash-py`: what the command `structhash` cannot do without Python's libraries.

Exit codes are those of the command: 0 done, 2 wrong usage, 3 data that make no sense, 4 damaged file, 5 reading or writing
failed, 6 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_EXAMPLES = """examples:
  python -m structhash encode --model model.shm --column features --parquet features/ --out codes/
  python -m structhash export clickhouse codes.shc --model model.shm --out clickhouse/
  python -m structhash export pgvector codes/ --bits 64 --model model.shm --out pgvector/
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
        description="Parquet files and exports to engines; everything else is done by the command structhash.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_encode(commands.add_parser("encode", help="Parquet files of vectors into Parquet files of codes"))
    _add_export(commands.add_parser("export", help="files and SQL for an engine that serves codes"))
    return parser


def _add_encode(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, metavar="FILE", help="model file")
    parser.add_argument(
        "--parquet", required=True, nargs="+", metavar="FILE", help="Parquet files, or one folder of them"
    )
    parser.add_argument("--column", required=True, help="the column of vectors")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder to write; must not be there")
    parser.add_argument("--keep", nargs="*", metavar="COLUMN", help="other columns to keep (default: all)")
    parser.add_argument("--code", default="code", metavar="COLUMN", help="name of the column of codes (default: code)")
    parser.add_argument(
        "--form", choices=("binary", "bigint"), default="binary", help="type of codes (default: binary)"
    )
    parser.add_argument("--threads", type=_positive, default=1, metavar="N", help="files at a time (default: 1)")
    parser.set_defaults(run=_encode)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("engine", choices=("clickhouse", "pgvector", "faiss", "parquet"))
    parser.add_argument("codes", help="code file, or Parquet file or folder with columns of ids and codes")
    parser.add_argument("--model", metavar="FILE", help="model file, whose weights make the distance")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder to write; must not be there")
    parser.add_argument("--table", default="codes", help="name of the table (default: codes)")
    parser.add_argument("--k", type=_positive, default=100, help="neighbours that a statement asks for (default: 100)")
    parser.add_argument("--bits", type=_positive, help="bits of codes in Parquet files (default: all of their bytes)")
    parser.add_argument("--id-column", default="id", metavar="COLUMN", help="ids in Parquet files (default: id)")
    parser.add_argument(
        "--code-column", default="code", metavar="COLUMN", help="codes in Parquet files (default: code)"
    )
    parser.add_argument(
        "--rows-per-file", type=_positive, default=10_000_000, metavar="N", help="(default: 10 million)"
    )
    parser.add_argument(
        "--partitions", type=_positive, default=8, metavar="N", help="of PostgreSQL's table (default: 8)"
    )
    parser.add_argument("--candidates", type=_positive, default=400, metavar="N", help="ranked again (default: 400)")
    parser.add_argument("--cluster", default="default", metavar="NAME", help="of ClickHouse (default: default)")
    parser.add_argument(
        "--form", choices=("binary", "bigint"), default="binary", help="codes in Parquet files to write"
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


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1; found {value}")
    return value


_PACKAGE_OF = {"faiss": "faiss-cpu"}


if __name__ == "__main__":
    sys.exit(main())
