#!/usr/bin/env python3
"""docs/paper_map.md must be complete and true.

Fails if an equation 1..22 or one cited in the sources ("Eq. (11)", "Eq. (14)-(16)", "Eq. (18) and
(19)") has no row, a row names a function or reference that its file does not define, or a test that
does not exist.
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
    """(line number, what the row is about, functions, references, tests) of every row of the table."""
    for number, line in enumerate(MAP.read_text(encoding='utf-8').splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        if re.match(r'(Eq\. \d|[A-E]\.\d)', cells[0]):
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


def defines(text, function):
    """True if the text defines or declares the function, after its type at the start of a line, or the class."""
    escaped = re.escape(function)
    type_of = r'(?!return\b|else\b|throw\b|using\b)[\w:]+(?:<[^;\n]*>)?'
    return bool(re.search(rf'^[ \t]*(?:{type_of}[\s*&]+)+(?:\w+::)*{escaped}\(', text, re.M) or
                re.search(rf'^[ \t]*(?:class|struct)\s+{escaped}\b(?!\s*;)', text, re.M))


def is_defined(entry):
    file, _, function = (part.strip() for part in entry.partition(':'))
    paths = [ROOT / root / file for root in ('src', 'include/structhash')]
    return bool(function) and any(path.is_file() and defines(path.read_text(encoding='utf-8'), function)
                                  for path in paths)


def false_rows():
    tests = {f'{suite}.{test}' for path in source_files('tests')
             for suite, test in TEST.findall(path.read_text(encoding='utf-8'))}
    for number, _, *cells in rows():
        if len(cells) != 3:
            yield f'{name(MAP)}:{number}: a row needs 5 cells, got {len(cells) + 2}'
            continue
        functions, references, names = cells
        for entry in functions + [entry for entry in references if entry != '-']:
            if not is_defined(entry):
                yield f'{name(MAP)}:{number}: {entry}: the file does not define it'
        for entry in references:
            if entry != '-' and not entry.startswith('reference/'):
                yield f'{name(MAP)}:{number}: {entry}: a reference must be in src/reference'
        for entry in names:
            if entry not in tests:
                yield f'{name(MAP)}:{number}: test {entry} does not exist'


if __name__ == '__main__':
    known_rows = {row for _, row, *_ in rows()}
    sys.exit(report([*missing_rows(known_rows), *false_rows(), *too_long()], 'paper map'))
