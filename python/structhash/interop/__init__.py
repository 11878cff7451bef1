"""Codes that other systems can use: conversions both ways, indexes, SQL, exports, weighted distance everywhere.

Codes are packed uint8, one row per code, least significant bit first, as `transform` gives them. Nothing but NumPy is
needed until a function of an engine is called; docs/interop.md has the table of engines.
"""

from . import clickhouse, elasticsearch, exports, milvus, opensearch, pgvector, vespa
from .distances import hamming_distances, nearest, weighted_distances
from .faiss import from_faiss, to_faiss, to_faiss_shards
from .hnswlib import to_hnswlib
from .numpy_bits import from_hex, from_packbits, from_uint64, pack, to_hex, to_packbits, to_uint64, unpack
from .onnx import to_onnx
from .pgvector import from_pgbit, to_pgbit
from .replication import Replicated, Replication, ReplicationError, measured_error, replicate
from .sentence_transformers import (
    from_binary,
    from_signed_bytes,
    from_ubinary,
    to_binary,
    to_signed_bytes,
    to_ubinary,
)
from .torch import to_torch
from .usearch import to_usearch
from .weighted import RealQueries, real_queries, rerank, to_vectors

__all__ = [
    "RealQueries",
    "Replicated",
    "Replication",
    "ReplicationError",
    "clickhouse",
    "elasticsearch",
    "exports",
    "from_binary",
    "from_faiss",
    "from_hex",
    "from_packbits",
    "from_pgbit",
    "from_signed_bytes",
    "from_ubinary",
    "from_uint64",
    "hamming_distances",
    "measured_error",
    "milvus",
    "nearest",
    "opensearch",
    "pack",
    "pgvector",
    "real_queries",
    "replicate",
    "rerank",
    "to_binary",
    "to_faiss",
    "to_faiss_shards",
    "to_hex",
    "to_hnswlib",
    "to_onnx",
    "to_packbits",
    "to_pgbit",
    "to_signed_bytes",
    "to_torch",
    "to_ubinary",
    "to_uint64",
    "to_usearch",
    "to_vectors",
    "unpack",
    "vespa",
    "weighted_distances",
]
