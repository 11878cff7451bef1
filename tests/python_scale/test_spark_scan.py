"""How the row groups of files are dealt out to tasks; no Spark is needed for that."""

from structhash._spark_scan import Piece, _grouped


def pieces_of(*files):
    """Row groups of files, each a list of bytes."""
    return [
        Piece(f"{number}.parquet", 0, 0, (group,), 10 * group, cost)
        for number, costs in enumerate(files)
        for group, cost in enumerate(costs)
    ]


def dealt(*files, max_bytes=100, opening=5):
    return [[(piece.path[0], piece.groups) for piece in task] for task in _grouped(pieces_of(*files), max_bytes, opening)]


def test_small_files_share_a_task():
    assert dealt([20, 20], [30], [40]) == [[("0", (0, 1)), ("1", (0,))], [("2", (0,))]]


def test_a_file_a_little_too_large_is_not_cut():
    assert dealt([60, 60], [60, 60]) == [[("0", (0, 1))], [("1", (0, 1))]]


def test_a_large_file_is_cut_between_row_groups():
    assert dealt([60, 30, 60, 30], [150]) == [[("0", (0, 1))], [("0", (2, 3))], [("1", (0,))]]


def test_pieces_know_their_first_row_and_their_bytes():
    first, second = (task[0] for task in _grouped(pieces_of([60, 30, 60, 30]), 100, 5))
    assert (first.first_row, first.cost, second.first_row, second.cost) == (0, 90, 20, 90)


def test_no_files_are_no_tasks():
    assert dealt() == []
