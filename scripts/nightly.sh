#!/usr/bin/env bash
# What takes too long for ./test.sh, to be run after it: some 7 hours on two cores.
#   scripts/nightly.sh              an hour of fuzzing for each target, every damaged file through the command, coverage
#   scripts/nightly.sh 600          the same with 600 seconds for each fuzz target
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-3600}
failed=0
printf '\n=== every damaged file through the command\n'
STRUCTHASH_NIGHTLY=1 ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" --timeout 7200 \
  -R DamagedFilesOfTheCommand || failed=1
printf '\n=== %s seconds of fuzzing for each target\n' "$seconds"
scripts/fuzz.sh "$seconds" || failed=1
printf '\n=== coverage\n'
STRUCTHASH_PYTHON=$PWD/build/venv/bin/python scripts/coverage.sh || failed=1
exit "$failed"
