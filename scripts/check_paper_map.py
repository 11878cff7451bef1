#!/usr/bin/env python3
"""docs/paper_map.md must be complete and true.

Fails if an equation 1..22 or one cited in the sources ("Eq. (11)", "Eq. (14)-(16)", "Eq. (18) and
(19)") has no row, or a row names a function or test that is not in the tree.
Run: python3 scripts/check_paper_map.py
"""
import re
import sys

from source_tree import ROOT, name, report, source_files, too_long

MAP = ROOT / 'docs' / 'paper_map.md'
SECTIONS = ('A.7', 'A.8', 'B.1', 'B.2', 'B.3', 'D.1')
CITATION = re.compile(r'Eq\.\s*\(\d+[a-c]?\)(?:(?:-|, | and |, and )\(\d+[a-c]?\))*')
TEST = re.compile(r'\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)')


def rows():
    """(line number, what the row is about, functions, tests) of every row of the table."""
    for number, line in enumerate(MAP.read_text(encoding='utf-8').splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        if len(cells) == 4 and re.match(r'(Eq\. \d|[A-E]\.\d)', cells[0]):
            split = [[part.strip() for part in cell.split(';')] for cell in cells[2:]]
            yield number, cells[0].removeprefix('Eq. '), *split


def cited(text):
    """Equation numbers in one text; a range counts in full."""
    for match in CITATION.finditer(text):
        pieces = re.findall(r'(^|-|,|and)\s*\((\d+[a-c]?)\)', match[0].removeprefix('Eq.').strip())
        previous = None
        for joint, number in pieces:
            if joint == '-' and previous and previous.isdigit() and number.isdigit():
                yield from map(str, range(int(previous) + 1, int(number)))
            yield number
            previous = number


def missing_rows(known):
    def has_row(number):
        return any(row == number or row.rstrip('abc') == number for row in known)

    for number in [str(n) for n in range(1, 23)] + list(SECTIONS):
        if not has_row(number):
            yield f'{name(MAP)}: no row for {number}'
    for path in source_files():
        for line_number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            for number in cited(line):
                if not has_row(number):
                    yield f'{name(path)}:{line_number}: cites Eq. ({number}), which has no row in {name(MAP)}'


def function_exists(entry):
    file, _, function = (part.strip() for part in entry.partition(':'))
    for root in ('src', 'include/structhash'):
        path = ROOT / root / file
        if path.is_file() and function and re.search(rf'\b{re.escape(function)}\b',
                                                     path.read_text(encoding='utf-8')):
            return True
    return False


def false_rows():
    tests = {f'{suite}.{test}' for path in source_files('tests')
             for suite, test in TEST.findall(path.read_text(encoding='utf-8'))}
    for number, _, functions, names in rows():
        for entry in functions:
            if entry != 'open' and not function_exists(entry):
                yield f'{name(MAP)}:{number}: function {entry} does not exist'
        for entry in names:
            if entry != 'open' and entry not in tests:
                yield f'{name(MAP)}:{number}: test {entry} does not exist'


if __name__ == '__main__':
    known_rows = {row for _, row, _, _ in rows()}
    sys.exit(report([*missing_rows(known_rows), *false_rows(), *too_long()], 'paper map'))
