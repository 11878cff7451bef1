#!/usr/bin/env python3
"""A folder may include only folders before it in the order in which data flows.

Run: python3 scripts/check_layering.py
"""
import re
import sys

from source_tree import ROOT, name, report, source_files, too_long

ORDER = ('core data features relevance ranking codes hashing learner baselines search '
         'evaluation report reference').split()
INCLUDE = re.compile(r'^\s*#\s*include\s*"(?:structhash/)?(\w+)/[^"]*"')


def folder_of(path):
    for root in ('include/structhash', 'src'):
        if path.is_relative_to(ROOT / root):
            return path.relative_to(ROOT / root).parts[0]
    return None


def wrong_includes():
    for path in source_files('include', 'src'):
        folder = folder_of(path)
        if folder not in ORDER:
            if not folder.endswith('.hpp'):  # the umbrella header stands beside the folders
                yield f'{name(path)}: folder {folder} has no place in the order of check_layering.py'
            continue
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match[1] in ORDER and ORDER.index(match[1]) > ORDER.index(folder):
                yield f'{name(path)}:{number}: {folder} must not include {match[1]}, which comes later'


if __name__ == '__main__':
    sys.exit(report([*wrong_includes(), *too_long()], 'layering'))
