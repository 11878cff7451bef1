#!/usr/bin/env python3
"""Wraps the paragraphs and list items of Markdown files at 100 columns: python3 scripts/wrap_markdown.py FILE...

Code, tables, headings, HTML and pictures stay as they are. scripts/check_documents.py reports lines to wrap.
"""
import pathlib
import re
import sys
import textwrap

COLUMNS = 100
ITEM = re.compile(r'(\s*)([-*+]|\d+\.)\s+')
# A line must not begin like a list item, a heading, a quotation or a table.
BLOCK_START = re.compile(r'([-*+>]|\d+\.|#+)(\s|$)|\|')
VERBATIM = ('|', '#', '<', '![', '---')


def fill(text, first, rest):
    lines = textwrap.fill(' '.join(text.split()), COLUMNS, initial_indent=first, subsequent_indent=rest,
                          break_long_words=False, break_on_hyphens=False).split('\n')
    for i in range(1, len(lines)):
        before, _, word = lines[i - 1].rpartition(' ')
        if BLOCK_START.match(lines[i].strip()) and before.strip():
            tail = ' '.join([word, *(line.strip() for line in lines[i:])])
            return '\n'.join([*lines[:i - 1], before, fill(tail, rest, rest)])
    return '\n'.join(lines)


def wrap(text):
    out, paragraph = [], None  # paragraph: first indentation, further indentation, words
    fenced = code = False
    after_blank = True

    def flush():
        nonlocal paragraph
        if paragraph:
            out.append(fill(paragraph[2], *paragraph[:2]))
        paragraph = None

    for line in text.split('\n'):
        stripped = line.lstrip()
        indentation = line[:len(line) - len(stripped)]
        is_fence, item = stripped.startswith('```'), ITEM.match(line)
        indented = len(indentation) >= 4 and (after_blank or code) and not paragraph and not item
        code = indented and bool(stripped)
        if is_fence or fenced or not stripped or indented or stripped.startswith(VERBATIM):
            flush()
            out.append(line if stripped or fenced else '')
            fenced ^= is_fence
        elif item:
            flush()
            bullet = f'{item[1]}{item[2]} '
            paragraph = [bullet, ' ' * len(bullet), line[item.end():]]
        elif paragraph:
            paragraph[2] += f' {stripped}'
        else:
            paragraph = [indentation, indentation, stripped]
        after_blank = not stripped
    flush()
    return '\n'.join(out)


if __name__ == '__main__':
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        path.write_text(wrap(path.read_text(encoding='utf-8')), encoding='utf-8')
