"""Our measures against ir-measures (pytrec_eval underneath) on rankings without ties, to 1e-9.

Needs the environment variable STRUCTHASH_TREC_PROBE: the path of the trec_probe executable.
Compared are the measures whose definitions are identical there: AP, AP@K, P@K, R@K, RR, and nDCG@K,
whose gain is the grade itself: it is given 2^grade - 1 where ours is given the grade.
"""

import json
import os
import random
import subprocess

import ir_measures
import pytest
from ir_measures import AP, P, R, RR, Qrel, ScoredDoc, nDCG

CUTOFFS = [1, 3, 5, 10, 100, 1000]
PAIRS = (
    [("map", AP), ("mrr", RR)]
    + [(f"map@{k}", AP @ k) for k in CUTOFFS]
    + [(f"precision@{k}", P @ k) for k in CUTOFFS]
    + [(f"recall@{k}", R @ k) for k in CUTOFFS]
    + [(f"ndcg@{k}", nDCG @ k) for k in CUTOFFS]
)


def make_case(seed, queries, items, judged, highest_grade, retrieved):
    """Random judgments and untied scores; `retrieved` items of each query are in the run."""
    rng = random.Random(seed)
    names = [f"doc-{i}" for i in range(items)]
    qrels, run = [], []
    for number in range(queries):
        query = f"q{number}"
        grades = [rng.randint(0, highest_grade) for _ in range(judged)]
        grades[0] = 1  # both sides leave out queries without a relevant item in their own way
        qrels += [(query, item, grade) for item, grade in zip(rng.sample(names, judged), grades)]
        scores = rng.sample(range(10 * items), retrieved)  # distinct, exact in single precision
        run += [(query, item, score) for item, score in zip(rng.sample(names, retrieved), scores)]
    return qrels, run


def ours(folder, qrels, run):
    qrels_file, run_file = folder / "qrels.txt", folder / "run.txt"
    qrels_file.write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in qrels))
    run_file.write_text("".join(f"{q} Q0 {d} 0 {score} random\n" for q, d, score in run))
    command = [os.environ["STRUCTHASH_TREC_PROBE"], str(run_file), str(qrels_file)]
    output = subprocess.run(
        command + [name for name, _ in PAIRS], check=True, capture_output=True, text=True
    )
    return json.loads(output.stdout)


def theirs(qrels, run):
    values = {}
    gains = [Qrel(q, d, 2**grade - 1) for q, d, grade in qrels]
    scored = [ScoredDoc(q, d, float(score)) for q, d, score in run]
    names = {str(measure): name for name, measure in PAIRS}
    for metric in ir_measures.iter_calc([measure for _, measure in PAIRS], gains, scored):
        values.setdefault(metric.query_id, {})[names[str(metric.measure)]] = metric.value
    return values


@pytest.mark.parametrize(
    "shape",
    [
        dict(queries=20, items=300, judged=40, highest_grade=1, retrieved=300),
        dict(queries=20, items=300, judged=40, highest_grade=4, retrieved=300),
        dict(queries=20, items=300, judged=200, highest_grade=3, retrieved=50),
        dict(queries=20, items=2000, judged=500, highest_grade=2, retrieved=1500),
        dict(queries=30, items=12, judged=3, highest_grade=2, retrieved=4),
        dict(queries=10, items=5, judged=5, highest_grade=0, retrieved=5),
    ],
    ids=["binary", "graded", "partly found", "large", "tiny", "one relevant"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_equal_to_1e_9(tmp_path, shape, seed):
    qrels, run = make_case(seed, **shape)
    our_values, their_values = ours(tmp_path, qrels, run), theirs(qrels, run)
    assert our_values.keys() == their_values.keys()
    assert len(our_values) == shape["queries"]
    for query, values in their_values.items():
        assert values.keys() == our_values[query].keys()
        for name, value in values.items():
            assert our_values[query][name] == pytest.approx(value, abs=1e-9), (query, name)
