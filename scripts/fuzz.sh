#!/usr/bin/env bash
# Feeds every reader with damaged and invented input, under the address and undefined behaviour sanitizers.
#   scripts/fuzz.sh 60               each target for 60 seconds, two at a time
#   scripts/fuzz.sh 3600 npy csv     these targets only
# Needs cmake --preset asan and its target structhash_fuzz. Inputs that reach new code are kept in build/fuzz/TARGET for the next
# run; a finding is left in build/fuzz/findings: mend it and put the file into tests/fuzz/corpus/TARGET under a name that says why.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! ${1:-} =~ ^[0-9]+$ ]]; then
  echo "usage: scripts/fuzz.sh SECONDS [TARGET...]" >&2
  exit 2
fi
seconds=$1
shift
program=build/asan/bin/structhash_fuzz
if [[ ! -x $program ]]; then
  echo "fuzz.sh: $program is missing; run cmake --preset asan && cmake --build build/asan --target structhash_fuzz" >&2
  exit 2
fi
targets=("$@")
if ((${#targets[@]} == 0)); then
  mapfile -t targets < <(find tests/fuzz/corpus -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
fi

# 512 MiB in all, sanitizer included; no single allocation above 256 MiB; no input may take longer than 20 seconds.
fuzz_one() {
  local target=$1 work=build/fuzz/$1
  mkdir -p "$work" build/fuzz/findings
  if ! ASAN_OPTIONS=quarantine_size_mb=16 "$program" "--target=$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=512 \
    -malloc_limit_mb=256 -max_len=8192 -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/findings/$target-" \
    "$work" "tests/fuzz/corpus/$target" >"build/fuzz/$target.log" 2>&1; then
    echo "$target: FINDING"
    tail -n 60 "build/fuzz/$target.log"
    return 1
  fi
  awk -v target="$target" '/stat::number_of_executed_units/ {runs = $2} /stat::peak_rss_mb/ {peak = $2}
    END {printf "%-12s %10d inputs, no finding, at most %d MiB\n", target, runs, peak}' "build/fuzz/$target.log"
}

failed=0
running=0
for target in "${targets[@]}"; do
  if ((running == 2)); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz_one "$target" &
  running=$((running + 1))
done
while ((running > 0)); do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
