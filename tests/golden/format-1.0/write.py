"""Writes model.shm, two-encoders.shm, codes.shc and index.shi from docs/format.md alone: a second, independent writer.

The C++ library must read these files for ever and, while the format stays at 1.0, write the very
same bytes (tests/hashing/golden_files_test.cpp).  Needs the PyPI package xxhash.
"""

import json
import pathlib
import struct

import xxhash

MAGIC = b"\x89SHF\r\n\x1a\n"
FOLDER = pathlib.Path(__file__).parent


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 64)


def container(kind: str, sections: list, header: dict) -> tuple[bytes, str]:
    """sections: (name, type, rows, columns, bytes).  Returns the file and its identity."""
    body, entries = b"", b""
    for name, element, rows, columns, data in sections:
        entries += struct.pack(
            "<24s8sQQQQ", name.encode(), element.encode(), rows, columns, 64 + len(body),
            xxhash.xxh3_64_intdigest(data),
        )
        body += padded(data)
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    directory = struct.pack("<IIQ", len(sections), 0, len(text)) + entries + text
    offset = 64 + len(body)
    checksum = xxhash.xxh3_64_intdigest(directory)
    head = struct.pack(
        "<8sHHI16sQQQ", MAGIC, 1, 0, 0, kind.encode(), offset + len(directory), offset, checksum
    )
    head += struct.pack("<Q", xxhash.xxh3_64_intdigest(head))
    return head + body + directory, f"{checksum:016x}"


def bucket_tables(codes: list[int], bits: int, substrings: int) -> tuple[bytes, bytes]:
    """For every substring: where its buckets start, and the rows in order of its value."""
    starts, rows = b"", b""
    for part in range(substrings):
        first, end = bits * part // substrings, bits * (part + 1) // substrings
        values = [(code >> first) % 2 ** (end - first) for code in codes]
        below = [sum(value < bucket for value in values) for bucket in range(2 ** (end - first) + 1)]
        starts += struct.pack(f"<{len(below)}I", *below)
        order = sorted(range(len(codes)), key=lambda row: values[row])
        rows += struct.pack(f"<{len(order)}I", *order)
    return starts, rows


def main() -> None:
    conventions = {"bit_order": "lsb-first", "threshold": "value > 0"}
    model, identity = container(
        "model",
        [
            ("directions", "f32", 3, 2, struct.pack("<6f", 1, -1, 0.5, 2, -0.25, 0)),
            ("offsets", "f32", 3, 1, struct.pack("<3f", 0, -1, 0.125)),
            ("bit-weights", "f32", 3, 1, struct.pack("<3f", 1, 0.5, 0)),
        ],
        {
            "method": "golden", "parameters": {"bits": 3, "seed": 1}, "encoder": "linear",
            "bits": 3, "dimension": 2, "distance": "weighted", **conventions,
        },
    )
    two_encoders, _ = container(
        "model",
        [
            ("directions", "f32", 2, 2, struct.pack("<4f", 1, -1, 0.5, 2)),
            ("offsets", "f32", 2, 1, struct.pack("<2f", 0, -1)),
            ("query-anchors", "f32", 1, 3, struct.pack("<3f", 1, 0, 0)),
            ("query-gamma", "f32", 1, 1, struct.pack("<f", 0.5)),
            ("query-directions", "f32", 2, 1, struct.pack("<2f", 1, -1)),
            ("query-offsets", "f32", 2, 1, struct.pack("<2f", -0.75, 0.75)),
        ],
        {
            "method": "golden", "parameters": {"bits": 2}, "encoder": "linear+kernel", "bits": 2,
            "dimension": 2, "query_dimension": 3, "distance": "hamming", **conventions,
        },
    )
    # Row 0: bits 0, 3, 9 and 23 are the bytes 09 02 80.  Row 1: bit 1.
    words = bytes([0x09, 0x02, 0x80, 0, 0, 0, 0, 0]) + bytes([0x02, 0, 0, 0, 0, 0, 0, 0])
    codes, _ = container(
        "codes",
        [("words", "u64", 2, 1, words)],
        {"bits": 24, "rows": 2, "model": identity, **conventions},
    )
    starts, rows = bucket_tables([0x800209, 0x02], 24, 3)
    weights = [0.25 * (bit % 4) for bit in range(24)]
    index, _ = container(
        "index",
        [
            ("words", "u64", 2, 1, words),
            ("ids", "i64", 2, 1, struct.pack("<2q", 5, 900)),
            ("bit-weights", "f32", 24, 1, struct.pack("<24f", *weights)),
            ("bucket-starts", "u32", len(starts) // 4, 1, starts),
            ("bucket-rows", "u32", len(rows) // 4, 1, rows),
        ],
        {
            "bits": 24, "rows": 2, "model": identity, "distance": "weighted", "ids": "own",
            "substrings": 3, **conventions,
        },
    )
    (FOLDER / "model.shm").write_bytes(model)
    (FOLDER / "two-encoders.shm").write_bytes(two_encoders)
    (FOLDER / "index.shi").write_bytes(index)
    (FOLDER / "codes.shc").write_bytes(codes)


if __name__ == "__main__":
    main()
