#!/usr/bin/env bash
# Compares models, codes and neighbours of every method between two builds on this machine, by SHA-256.
#   scripts/compare_builds.sh build/release build/asan
set -euo pipefail
if (($# != 2)); then
  echo "usage: scripts/compare_builds.sh BUILD BUILD" >&2
  exit 2
fi
one=$("$1/bin/digest_probe")
other=$("$2/bin/digest_probe")
differences=$(diff <(echo "$one") <(echo "$other")) || {
  echo "Not the same in $1 (<) and $2 (>): method, model, codes, neighbours"
  echo "$differences"
  exit 1
}
echo "Models, codes and neighbours of $(wc -l <<<"$one") methods are the same in $1 and $2."
