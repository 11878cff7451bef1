#!/usr/bin/env python3
"""structhash/structhash.hpp includes every public header, and nothing that is not there.

Run: python3 scripts/check_umbrella.py
"""
import re
import sys

from source_tree import ROOT, report

INCLUDE = ROOT / 'include'
UMBRELLA = INCLUDE / 'structhash' / 'structhash.hpp'


def problems():
    included = set(re.findall(r'#include "([^"]+)"', UMBRELLA.read_text(encoding='utf-8')))
    present = {path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob('*.hpp')
               if path != UMBRELLA}
    for header in sorted(present - included):
        yield f'structhash.hpp does not include {header}'
    for header in sorted(included - present):
        yield f'structhash.hpp includes {header}, which does not exist'


if __name__ == '__main__':
    sys.exit(report(problems(), 'umbrella header'))
