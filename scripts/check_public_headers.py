#!/usr/bin/env python3
"""Public headers include only public headers, the standard library and Eigen; the umbrella includes all of them.

Run: python3 scripts/check_public_headers.py
"""
import re
import sys

from source_tree import ROOT, name, report

INCLUDE = ROOT / 'include'
UMBRELLA = INCLUDE / 'structhash' / 'structhash.hpp'


def problems():
    present = {path.relative_to(INCLUDE).as_posix(): path for path in sorted(INCLUDE.rglob('*.hpp'))}
    for path in present.values():
        source = path.read_text(encoding='utf-8')
        for header in re.findall(r'#include "([^"]+)"', source):
            if header not in present:
                yield f'{name(path)}: includes {header}, which is not public'
        for header in re.findall(r'#include <([\w.]+/[^>]+)>', source):
            if not header.startswith('Eigen/'):
                yield f'{name(path)}: includes <{header}>; public headers need only Eigen and the standard library'
    umbrella = UMBRELLA.read_text(encoding='utf-8')
    for header, path in present.items():
        if path != UMBRELLA and f'#include "{header}"' not in umbrella:
            yield f'{name(UMBRELLA)}: does not include {header}'


if __name__ == '__main__':
    sys.exit(report(problems(), 'public headers'))
