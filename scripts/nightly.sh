#!/usr/bin/env bash
# What takes too long for ./test.sh --all, to be run after it: some hour and a half on two cores.
#   scripts/nightly.sh              an hour of fuzzing, five minutes for each of twelve targets; every damaged file through the
#                                   command; 400 failing allocations per command; 200 kills; stops with 2,000 anchors; coverage;
#                                   the unit tests for 64-bit ARM in an emulator
#   scripts/nightly.sh 3600         the same with an hour for each fuzz target
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-300}
failed=0
printf '\n=== every damaged file through the command, failing allocations, kills, stops\n'
STRUCTHASH_NIGHTLY=1 STRUCTHASH_KILLS=200 ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" --timeout 7200 \
  -R 'DamagedFilesOfTheCommand|durability.(faults|kill|stop)' || failed=1
printf '\n=== %s seconds of fuzzing for each target\n' "$seconds"
scripts/fuzz.sh "$seconds" || failed=1
printf '\n=== coverage\n'
STRUCTHASH_PYTHON=$PWD/build/venv/bin/python scripts/coverage.sh || failed=1
printf '\n=== 64-bit ARM\n'
scripts/test_aarch64.sh || failed=1
exit "$failed"
