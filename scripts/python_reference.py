"""Markdown pages of the Python reference, from signatures and docstrings, by static analysis (griffe).

`pages()` is called while the site is built (scripts/site_hooks.py). The package is not imported, so no
build is needed.
"""
import re

import griffe

from source_tree import ROOT

# page: (title, modules whose public functions and classes it shows)
PAGES = {
    'estimators': ('Estimators', ['estimators', '_hasher', '_loading']),
    'search': ('Index', ['index']),
    'measures': ('Measures', ['measures', '_evaluation']),
    'plot': ('Plots and reports', ['plot', '_report']),
    'files': ('Parquet, Arrow, Spark and exports', ['parquet', 'arrow', 'spark', 'export']),
    'interop': ('Other engines', ['interop']),
    'datasets': ('Data', ['datasets']),
    'errors': ('Errors', ['errors']),
}


def markdown(docstring):
    """A docstring as Markdown: examples become code, `name : text` becomes a list."""
    lines, example = [], False
    for line in docstring.splitlines():
        starts = line.startswith(('>>>', '...'))
        if starts and not example:
            lines += ['', '```pycon']
            example = True
        elif example and not line.strip():
            lines.append('```')
            example = False
        if not example:
            line = re.sub(r':\w+:`([^`]*)`', r'`\1`', line).replace('``', '`').replace('<', '&lt;')
            if re.match(r'^\w+(, \w+)* : ', line):
                line = '\n- ' + re.sub(r'^(\w+(?:, \w+)*) : ', r'`\1`: ', line)
        lines.append(line)
    return '\n'.join([*lines, '```'] if example else lines)


def parameter(one, positional):
    text = str(one.kind.value)
    star = {'variadic positional': '*', 'variadic keyword': '**'}.get(text, '')
    annotation = f': {one.annotation}' if one.annotation else ''
    default = '' if one.default is None or star else (f' = {one.default}' if annotation else f'={one.default}')
    bare = '*, ' if text == 'keyword-only' and positional else ''
    return f'{bare}{star}{one.name}{annotation}{default}'


def signature(function, name):
    parts, positional = [], True
    for one in function.parameters:
        if one.name in ('self', 'cls'):
            continue
        if one.kind.value in ('keyword-only', 'variadic positional'):
            parts.append(parameter(one, positional))
            positional = False
        else:
            parts.append(parameter(one, positional))
    result = f' -> {function.returns}' if function.returns and name[0].islower() else ''
    line = f'{name}({", ".join(parts)}){result}'
    if len(line) > 90:
        line = f'{name}(\n    ' + ',\n    '.join(parts) + f',\n){result}'
    return f'```python\n{line}\n```'


def entry(one, level, prefix=''):
    heading = f'{"#" * level} {prefix}{one.name}'
    docstring = markdown(one.docstring.value) if one.docstring else ''
    if one.is_function:
        return [heading, signature(one, one.name), docstring]
    parts = [heading]
    if '__init__' in one.members:
        parts.append(signature(one.members['__init__'], one.name))
    parts.append(docstring)
    for member in one.members.values():
        if member.name.startswith('_') or not (member.is_function or member.is_attribute and member.docstring):
            continue
        parts += entry(member, level + 1, f'{one.name}.') if member.is_function else [
            f'{"#" * (level + 1)} {one.name}.{member.name}', markdown(member.docstring.value)]
    return parts


def public(module):
    """Functions and classes that a module defines itself: those of its __all__, of a private one those of the package."""
    exported = set(map(str, (module.parent if module.name.startswith('_') else module).exports or []))
    for one in module.members.values():
        if not one.is_alias and (one.is_function or one.is_class) and not one.name.startswith('_') \
                and (not exported or one.name in exported):
            yield one


def module_parts(module, shown_name):
    if module.name.startswith('_') and not list(public(module)):
        return []
    parts = [f'## {shown_name}', markdown(module.docstring.value) if module.docstring else '']
    for one in public(module):
        parts += entry(one, 3)
    for child in module.members.values():
        if not child.is_alias and child.is_module and not child.name.startswith('_'):
            parts += module_parts(child, f'structhash.{module.name}.{child.name}')
    return parts


def pages():
    """{path below docs: Markdown}"""
    package = griffe.load('structhash', search_paths=[ROOT / 'python'], allow_inspection=False)
    found = {}
    for page, (title, modules) in PAGES.items():
        parts = [f'# Python: {title}']
        for name in modules:
            parts += module_parts(package.members[name], 'structhash' if name.startswith('_') else f'structhash.{name}')
        found[f'reference/python/{page}.md'] = '\n\n'.join(part for part in parts if part.strip()) + '\n'
    headings = set(re.findall(r'^#+ (?:structhash\.)?(\w+)$', '\n'.join(found.values()), re.M))
    missing = set(map(str, package.exports)) - headings - {'Model', '__version__'}
    if missing:
        raise SystemExit(f'the Python reference lacks {", ".join(sorted(missing))}; see PAGES in {__file__}')
    return found
