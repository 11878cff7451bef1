#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets into tests/fuzz/corpus: small files as each format's own tools write them.

    scripts/make_fuzz_corpus.py build/release/bin/structhash

Seeds are named seed-*, inputs that once were findings found-*; other files are left alone.
"""

import gzip
import io
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
# One method per kind of encoder and of weights, with the options that keep its file small.
MODELS = {
    "linear": ["--method", "lsh"],
    "kernel": ["--method", "klsh", "--option", "anchors=4"],
    "stumps": ["--method", "structhash", "--functions", "stump"],
    "trees": ["--method", "fasthash"],
    "balls": ["--method", "spher"],
    "curves": ["--method", "sph"],
    "graph": ["--method", "agh", "--option", "anchors=6"],
}


def write(target: str, name: str, content: bytes, kind: str = "seed") -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kind}-{name}").write_bytes(content)


def npy(descr: str, fortran: bool, shape: str, data: bytes, version: int = 1) -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + b"\n" + data


def tables() -> None:
    four = struct.pack("<4f", 1, -2, 3.5, 4)
    write("npy", "floats", npy("<f4", False, "(2, 2)", four))
    write("npy", "fortran-doubles", npy(">f8", True, "(2, 2)", struct.pack(">4d", 1, 2, 3, 4)))
    write("npy", "halves", npy("<f2", False, "(4,)", struct.pack("<4e", 1, 2, 3, 4), version=2))
    write("npy", "cube", npy("|u1", False, "(2, 2, 2)", bytes(range(8)), version=3))
    write("npy", "text", npy("<U2", False, "(2,)", "ab".encode("utf-32-le") + "c\0".encode("utf-32-le")))
    write("npy", "bytes", npy("|S2", False, "(2, 1)", b"abc\0"))
    for name, how in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", how) as file:
            file.writestr(zipfile.ZipInfo("x.npy"), npy("<f4", False, "(2, 2)", four), how)
        write("npy", f"npz-{name}", archive.getvalue())
    write("npy", "gzipped", gzip.compress(npy("<i8", False, "(1, 1)", struct.pack("<q", 7)), mtime=0))
    images = bytes([0, 0, 8, 3]) + struct.pack(">3I", 2, 2, 3) + bytes(range(12))
    write("idx", "images", images)
    write("idx", "gzipped", gzip.compress(images, mtime=0))
    write("idx", "labels", bytes([0, 0, 8, 1]) + struct.pack(">I", 3) + bytes([1, 0, 1]))
    write("idx", "floats", bytes([0, 0, 13, 2]) + struct.pack(">2I2f", 1, 2, 1.5, -1))
    row = struct.pack("<i2f", 2, 1, 2)
    write("vectors", "fvecs", row + row)
    write("vectors", "bvecs", struct.pack("<i4B", 4, 1, 2, 3, 4))
    write("vectors", "fbin", struct.pack("<2I2f", 1, 2, 1, 2))
    write("vectors", "u8bin", struct.pack("<2I4B", 2, 2, 1, 2, 3, 4))
    write("images", "cifar10", bytes([3]) + bytes(3072))
    write("images", "cifar100", bytes([1, 99]) + bytes(3072))
    write("images", "stl10-labels", bytes([1, 10, 3]))
    write("csv", "header", b"a,b\n1,2.5\n-3e1,4\n")
    write("csv", "semicolons", b"\xef\xbb\xbf1;0\r\n# no row\r\n0;1\r\n")
    write("csv", "text", b'"a ""b""",1\n"c",2\n')
    write("csv", "quoted", b'"1"\t" 2 "\n3\t4')
    write("csv", "gzipped", gzip.compress(b"1,2,0\n3,4,1\n", mtime=0))
    write("libsvm", "letor", b"2 qid:10 1:0.5 3:1e1 # doc 7\n+1 qid:10\n-1.0\tqid:11  2:-4\n")
    write("libsvm", "from-zero", b"1 0:5 2:6\n0 1:1\n")
    write("libsvm", "words", b"spam 1:1\nham 2:1\n")
    write("libsvm", "gzipped", gzip.compress(b"1 1:2\n", mtime=0))


def texts() -> None:
    for name, path in {"plain": b"g/x", "root": b"/deep/er/y", "missing": b"g/none", "dots": b"./g/../x:y"}.items():
        write("h5-name", name, path)
    write("qrels", "names", b"q1 0 doc-7 2\na\tQ0\tb\t-1\n\nb 0 a 0\n")
    write("qrels", "numbers", b"\xef\xbb\xbf1 0 50 30\r\n2 0 1 1\n")
    for path in sorted((ROOT / "experiments").glob("*.json"))[:3]:
        write("experiment", path.stem, path.read_bytes()[:20000])
    write("experiment", "small", b'{"datasets":[{"name":"d","generate":{"rows":9,"dimension":2,"clusters":3,"seed":1}}],'
          b'"methods":[{"method":"lsh","train":4}],"bits":[8],"seeds":[1,2],"measures":["map"],'
          b'"protocol":{"queries":2,"nearest":0.5},"expect":[{"method":"lsh","at_least":{"map":0.1}}]}')
    write("results", "row", b'{"dataset":"d","method":"lsh","params":{"a":1},"bits":8,"seed":1,"distance":"hamming","map":0.5,'
          b'"train_seconds":0.1,"encode_seconds":0.2,"version":"1","config_hash":"ab"}\n')
    write("results", "details", b'{"recall":[0,1],"precision":[1,0.5],"ranks":[1],"precision_at_rank":[1],"objective":[],'
          b'"bit_weights":[0.5],"strips":[{"query_image":"data:","query_label":"3","items":[{"image":"","relevant":true,'
          b'"label":"3"}]}],"per_query":{"map":[0.5,null]}}')
    write("results", "expected", b'{"source":"s","rows":[{"dataset":"d","table":"1","method":"lsh","bits":8,"measures":{"map":0.5},'
          b'"distance":"hamming","width":3}]}')


def png(width: int, height: int, depth: int, colour: int, lines: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">2I5B", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def pictures() -> None:
    write("picture", "grey.png", png(3, 2, 8, 0, bytes([0, 1, 2, 3, 0, 4, 5, 6])))
    write("picture", "colour.png", png(1, 2, 8, 2, bytes([0, 9, 8, 7, 1, 3, 2, 1])))
    write("picture", "transparent.png", png(2, 1, 16, 6, bytes([0]) + bytes(range(16))))
    # The smallest JPEG: one grey block of 8 x 8, standard tables cut to the one code that is used.
    jpeg = bytes.fromhex("ffd8ffdb004300" + "01" * 64 + "ffc0000b080008000801011100" +
                         "ffc40014000100000000000000000000000000000000" + "ffc40014100100000000000000000000000000000000" +
                         "ffda0008010100003f003fffd9")
    write("picture", "grey.jpg", jpeg)


def findings() -> None:
    """What once made a reader fail."""
    deep = b"[" * 20000 + b"]" * 20000  # copying it recursed
    small = (CORPUS / "experiment" / "seed-small").read_bytes()
    write("experiment", "deep", small[:-1] + b',"about":' + deep + b"}", "found")
    write("experiment", "not-whole", small.replace(b'"bits":[8]', b'"bits":[1e300]'), "found")
    row = (CORPUS / "results" / "seed-row").read_bytes()
    write("results", "deep", row.replace(b'{"a":1}', b'{"a":' + deep + b"}"), "found")
    write("results", "params", row.replace(b'{"a":1}', b"3"), "found")
    write("results", "not-whole", row.replace(b'"bits":8', b'"bits":1e300'), "found")
    write("picture", "claim.png", png(16384, 4096, 8, 0, bytes(9)), "found")
    jpeg = (CORPUS / "picture" / "seed-grey.jpg").read_bytes()
    write("picture", "claim.jpg", jpeg.replace(bytes.fromhex("0800080008"), bytes.fromhex("0840001000")), "found")
    # Checksums are left wrong: the target makes them right.
    model = (ROOT / "tests" / "golden" / "format-1.0" / "model.shm").read_bytes()
    directory = struct.unpack_from("<Q", model, 40)[0]
    sections, _, length = struct.unpack_from("<IIQ", model, directory)
    header = model[-length:].replace(b'"parameters":{', b'"parameters":{"deep":' + deep + b",")
    lying = struct.pack("<IIQ", sections, 0, len(header)) + model[directory + 16 : -length] + header
    write("container", "deep-parameters", model[:directory] + lying, "found")
    wide = bytearray(model)
    struct.pack_into("<2Q", wide, directory + 16 + 32, 0, 2**63)  # rows, columns of the first section
    write("container", "negative-columns", bytes(wide), "found")


def containers(command: str) -> None:
    golden = ROOT / "tests" / "golden" / "format-1.0"
    for name in ("model.shm", "codes.shc", "index.shi"):
        write("container", f"golden-{name}", (golden / name).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        rows = [(i % 7 - (3 if i % 2 else -3), i * 5 % 11, i * 3 % 4, i % 2) for i in range(24)]
        (work / "x.csv").write_text("".join(f"{a},{b},{c}\n" for a, b, c, _ in rows))
        (work / "y.csv").write_text("".join(f"{label}\n" for *_, label in rows))
        for name, options in MODELS.items():
            model = work / f"{name}.shm"
            subprocess.run([command, "train", "--features", work / "x.csv", "--labels", work / "y.csv", "--bits", "3",
                            "--model", model, "--threads", "1", *options], check=True, capture_output=True)
            write("container", f"{name}.shm", model.read_bytes())


def main() -> None:
    if len(sys.argv) != 2 or shutil.which(sys.argv[1]) is None:
        sys.exit("usage: scripts/make_fuzz_corpus.py COMMAND   (such as build/release/bin/structhash)")
    tables()
    texts()
    pictures()
    containers(sys.argv[1])
    findings()
    total = sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file())
    print(f"{total} bytes in {CORPUS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
