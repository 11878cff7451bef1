#!/usr/bin/env bash
# Installs what is missing, builds the command, and compares the methods on the embedded digits.
set -euo pipefail
cd "$(dirname "$0")"

scripts/install_packages.sh build
# A release build without tests and benchmarks: they would need packages the demo does not.
cmake --preset release -DSTRUCTHASH_BUILD_TESTS=OFF -DSTRUCTHASH_BUILD_BENCHMARKS=OFF --log-level=WARNING
cmake --build build/release --parallel "$(nproc)" --target structhash_cli
echo
build/release/bin/structhash demo "$@"
