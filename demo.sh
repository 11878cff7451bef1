#!/usr/bin/env bash
# Installs what is missing, builds the command, compares the methods on the embedded digits and questions, and ends
# with a page of tables, charts, pictures and texts: demo-report.html.
set -euo pipefail
cd "$(dirname "$0")"

scripts/install_packages.sh build
report=(--report demo-report.html)
if [[ " $* " == *" --report "* ]]; then
  report=() # the caller has named one
fi
if ! scripts/fetch_charts.sh; then
  echo "The chart library cannot be fetched; the demo goes on without its page."
  report=()
fi
# A release build without tests and benchmarks: they would need packages the demo does not.
cmake --preset release -DSTRUCTHASH_BUILD_TESTS=OFF -DSTRUCTHASH_BUILD_BENCHMARKS=OFF --log-level=WARNING
cmake --build build/release --parallel "$(nproc)" --target structhash_cli
echo
build/release/bin/structhash demo "${report[@]}" "$@"
