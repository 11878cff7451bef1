#!/usr/bin/env bash
# cppcheck over the library and the command, with the options they are compiled with.
#   scripts/cppcheck.sh build/release
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
if [[ ! -e $build/compile_commands.json ]]; then
  echo "cppcheck.sh: $build/compile_commands.json is missing; run cmake --preset release" >&2
  exit 2
fi
mkdir -p build/cppcheck
# Left out: style (clang-tidy has it), headers of packages, and two checks that this version gets wrong: unknown macros of Highway,
# and containers that it cannot follow through std::span.
cppcheck --project="$build/compile_commands.json" --cppcheck-build-dir=build/cppcheck -j "$(nproc)" --quiet \
  --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
  --file-filter="$PWD/src/*" --file-filter="$PWD/apps/*" \
  --suppress='*:/usr/*' --suppress=unknownMacro --suppress=containerOutOfBounds --suppress=normalCheckLevelMaxBranches \
  --template='{file}:{line}: {severity} {id}: {message}'
echo "cppcheck: no finding"
