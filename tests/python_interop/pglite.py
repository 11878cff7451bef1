"""PostgreSQL with pgvector, run inside node by PGlite; npm packages as in scripts/test_interop.sh."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


class Database:
    """Statements go in as lines of JSON, rows come back."""

    def __init__(self, packages):
        script = Path(__file__).with_name("pglite_lines.cjs")
        self.process = subprocess.Popen(
            ["node", str(script), str(packages)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, sql):
        self.process.stdin.write(json.dumps(sql) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["rows"]

    def close(self):
        self.process.kill()  # nothing is kept, and a clean end takes seconds
        self.process.communicate(timeout=30)


def started_database():
    """A generator for a fixture: the database with pgvector, or a skipped test."""
    packages = Path(os.environ.get("STRUCTHASH_PGLITE", REPOSITORY / "build" / "interop-node"))
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which PGlite needs")
    if not (packages / "node_modules" / "@electric-sql" / "pglite-pgvector").is_dir():
        pytest.skip(f"PGlite with pgvector is not installed in {packages}")
    database = Database(packages)
    database.run("CREATE EXTENSION vector")
    yield database
    database.close()
