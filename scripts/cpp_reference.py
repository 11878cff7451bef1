"""Markdown pages of the C++ reference, one per folder of include/structhash, from the /// comments.

`pages()` is called while the site is built (scripts/site_hooks.py). Nothing is compiled.
"""
import re

from source_tree import ROOT

HEADERS = ROOT / 'include' / 'structhash'
FOLDERS = ('core', 'data', 'relevance', 'ranking', 'codes', 'hashing', 'baselines', 'search', 'evaluation', 'report')
OPEN_NAMESPACE = re.compile(r'^(?:inline )?namespace structhash[\w:]* \{$')
CLOSED_NAMESPACE = re.compile(r'^\}  // namespace')


def prose(comment):
    """Comment lines as Markdown: three spaces or more of indentation are a formula."""
    lines = []
    for line in comment:
        text = re.sub(r'^\s*/// ?', '', line)
        if text.startswith('  '):
            lines.append(f'    {text.strip()}' if lines and lines[-1].startswith('    ') else f'\n    {text.strip()}')
        else:
            lines.append(text.replace('<', '&lt;').replace('*', '\\*'))
    return '\n'.join(lines).strip('\n')


def blocks(lines):
    """(comment lines, code lines) of every declaration at namespace level; bodies stay whole."""
    comment, code, depth = [], [], 0
    for line in [*lines, '']:
        if depth == 0 and not code and line.startswith('///'):
            comment.append(line)
        elif depth == 0 and not line.strip():
            if comment or code:
                yield comment, code
            comment, code = [], []
        else:
            if depth == 0 and code and line.startswith('///'):
                yield comment, code
                comment, code = [line], []
                continue
            code.append(line)
            depth += line.count('{') - line.count('}')


def public_part(code):
    """Declarations without private members."""
    kept, hidden = [], False
    for line in code:
        if line.strip() == 'private:':
            hidden = True
        elif hidden and (line.startswith('}') or line.strip() in ('public:', 'protected:')):
            hidden = False
        if not hidden:
            kept.append(line)
    while len(kept) > 1 and not kept[-2].strip():
        del kept[-2]
    return kept


def title(code):
    """Name of the first class, function or constant of a block; empty if there is none."""
    text = ' '.join(code)
    match = (re.search(r'\b(?:class|struct|enum class|concept|using)\s+(\w+)', text)
             or re.search(r'(operator\S+|\b\w+)\(', text) or re.search(r'(\w+)\s*(?:=|\{|;)', text))
    return match[1] if match else ''


def section(header):
    lines = header.read_text(encoding='utf-8').splitlines()
    start = next(i for i, line in enumerate(lines) if OPEN_NAMESPACE.match(line))
    end = max(i for i, line in enumerate(lines) if CLOSED_NAMESPACE.match(line))
    about = []
    for line in reversed(lines[:start]):
        if not line.startswith('///'):
            break
        about.insert(0, line)
    parts = [f'## {header.name}', f'`#include <structhash/{header.parent.name}/{header.name}>`', prose(about)]
    for comment, code in blocks(lines[start + 1:end]):
        code = public_part(code)
        if all(re.match(r'^(class|struct) \w+;', line) for line in code):
            continue  # forward declarations
        parts += [f'### {title(code)}' if title(code) else '', prose(comment), '```cpp\n' + '\n'.join(code) + '\n```']
    return '\n\n'.join(part for part in parts if part)


def pages():
    """{path below docs: Markdown}"""
    found = {}
    for folder in FOLDERS:
        headers = sorted((HEADERS / folder).glob('*.hpp'))
        found[f'reference/cpp/{folder}.md'] = '\n\n'.join([f'# C++: {folder}', *map(section, headers)]) + '\n'
    return found
