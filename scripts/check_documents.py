#!/usr/bin/env python3
"""Checks that Markdown is wrapped at 100 columns, decision records fit a screen, the README has at most
900 words, and relative links have a target.

Tables, code, headings, HTML and lines without a space to break at may be longer; so may the changelog.
Run: python3 scripts/check_documents.py
"""
import re
import sys

from source_tree import ROOT, name, report

COLUMNS = 100
SCREEN = 45  # lines of a decision record
README_WORDS = 900
LINK = re.compile(r'\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)')


def documents():
    yield from sorted(ROOT.glob('*.md'))
    yield from sorted((ROOT / 'docs').rglob('*.md'))


def lines_of_text(path):
    """(number, line) outside code blocks and tables."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif not fenced and not line.startswith('    ') and not line.lstrip().startswith(('|', '<')):
            yield number, line


def problems():
    words = len((ROOT / 'README.md').read_text(encoding='utf-8').split())
    if words > README_WORDS:
        yield f'README.md: {words} words, at most {README_WORDS} are allowed; move some to docs'
    for path in documents():
        for number, line in lines_of_text(path):
            breakable = ' ' in line.strip().lstrip('-#!*0123456789. ')[:COLUMNS] and not line.startswith(('#', '!['))
            if len(line) > COLUMNS and breakable and path.name != 'CHANGELOG.md':
                yield f'{name(path)}:{number}: {len(line)} columns; run: python3 scripts/wrap_markdown.py {name(path)}'
        for target in LINK.findall(path.read_text(encoding='utf-8')):
            generated = 'reference/' in target  # pages of the site, whose build checks these links
            if '://' not in target and not generated and not (path.parent / target).exists():
                yield f'{name(path)}: the link to {target} has no target'
        if path.parent.name == 'adr' and len(path.read_text(encoding='utf-8').splitlines()) > SCREEN:
            yield f'{name(path)}: more than {SCREEN} lines; move tables to docs/lab'


if __name__ == '__main__':
    sys.exit(report(list(problems()), 'documents'))
