#!/usr/bin/env bash
# cppcheck over the library and the command. Headers of packages are not read: it needs none to see what it looks for.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/cppcheck
# Style is clang-tidy's. Two checks see what is not there: Highway's macros, and spans taken for containers. Threads, a number
# and two pointers, are passed by value everywhere.
cppcheck --std=c++20 --language=c++ -I include -I src -I apps/structhash --cppcheck-build-dir=build/cppcheck -j "$(nproc)" --quiet \
  --enable=warning,performance,portability --inline-suppr --error-exitcode=1 --suppress=unknownMacro \
  --suppress=containerOutOfBounds --suppress=passedByValue --suppress='*:/usr/*' --template='{file}:{line}: {severity} {id}: {message}' src apps
echo "cppcheck: no finding"
