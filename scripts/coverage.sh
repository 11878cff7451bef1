#!/usr/bin/env bash
# Which lines and branches of src/ the tests reach, and whether that is enough. Part of scripts/nightly.sh; some 15 minutes.
#   scripts/coverage.sh              builds, runs every test, measures
#   scripts/coverage.sh --measure    measures what the last run left
# Branches that exist only because something may throw are not counted: they are the compiler's.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/coverage
if [[ ${1:-} != --measure ]]; then
  scripts/install_packages.sh build test nightly
  cmake --preset coverage -DSTRUCTHASH_PYTHON="${STRUCTHASH_PYTHON:-}" --log-level=WARNING
  cmake --build "$build" --parallel "$(nproc)"
  find "$build" -name '*.gcda' -delete
  ctest --preset coverage --parallel "$(nproc)" || echo "Some tests failed; what they reached is counted all the same."
fi
gcovr --root . --object-directory "$build" --filter src/ --exclude-throw-branches --exclude-unreachable-branches \
  --gcov-ignore-parse-errors -j "$(nproc)" --json "$build/coverage.json" --txt "$build/coverage.txt" --csv "$build/coverage.csv" >/dev/null
python3 scripts/judge_coverage.py "$build/coverage.json"
