"""Small data, the commands that write something, and ways to run them."""

import dataclasses
import os
import pathlib
import random
import struct
import subprocess
import zlib

import numpy
import pytest

COMMAND = os.environ.get("STRUCTHASH_COMMAND", "structhash")
INDEX_WRITER = os.environ.get("STRUCTHASH_INDEX_WRITER", "index_writer")
NIGHTLY = os.environ.get("STRUCTHASH_NIGHTLY", "") not in ("", "0")


@dataclasses.dataclass
class Job:
    """A command that writes files, and what is in them when it was not disturbed."""

    name: str
    arguments: list
    outputs: list  # paths it writes
    grows: bool = False  # the file is appended to instead of replaced
    clean: list = dataclasses.field(default_factory=list)  # to be removed before another run

    def run(self, **options):
        return subprocess.run([str(word) for word in self.arguments], capture_output=True, text=True, timeout=300,
                              **options)

    def start(self):
        return subprocess.Popen([str(word) for word in self.arguments], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)


def clusters(rows, dimension, classes=4, seed=1):
    draw = numpy.random.default_rng(seed)
    labels = numpy.arange(rows) % classes
    centres = draw.normal(size=(classes, dimension)) * 2.0
    x = centres[labels] + draw.normal(size=(rows, dimension))
    return x.astype("<f4"), labels.astype("<i4")


def save_data(folder, name, rows, dimension):
    x, y = clusters(rows, dimension)
    numpy.save(folder / f"{name}-x.npy", x)
    numpy.save(folder / f"{name}-y.npy", y)
    return folder / f"{name}-x.npy", folder / f"{name}-y.npy"


def write_png(path, seed):
    """A grey picture of 32 x 32 pixels."""
    pixels = random.Random(seed).randbytes(32 * 32)
    rows = b"".join(b"\0" + pixels[at:at + 32] for at in range(0, 1024, 32))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def check(arguments):
    done = subprocess.run([str(word) for word in arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


def verifies(path):
    return subprocess.run([COMMAND, "inspect", path], capture_output=True, timeout=60).returncode == 0


def temporaries(folder):
    return [path for path in pathlib.Path(folder).rglob("*.tmp-*")]


@pytest.fixture
def work(tmp_path):
    return tmp_path
