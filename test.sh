#!/usr/bin/env bash
# Installs missing packages, builds, checks and tests.
#   ./test.sh            release build, every C++ and Python unit test, the report page
#   ./test.sh --all      what CI runs: also sanitizers, fuzzing, other engines, Spark, MPI, cppcheck, the site
#   ./test.sh --tidy     everything, and clang-tidy over the library and the command
set -euo pipefail
cd "$(dirname "$0")"

all=false
tidy=false
for argument in "$@"; do
  case $argument in
    --all) all=true ;;
    --tidy) all=true tidy=true ;;
    *) echo "usage: ./test.sh [--all | --tidy]" >&2; exit 2 ;;
  esac
done
jobs=$(nproc)
venv=build/venv
python_packages=(pytest==9.2.0 numpy==2.4.6 ir-measures==0.4.3 pytrec-eval-terrier==0.5.11
                 playwright==1.65.0)

wheel_venv=build/venv-wheel
build_packages=(scikit-build-core==1.1.1 nanobind==3.1.0)
wheel_packages=(numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 pandas==3.1.1 polars==2.1.0 matplotlib==3.11.2 tqdm==4.70.1
  pytest==9.2.0 hypothesis==6.170.15 nbclient==0.11.0 ipykernel==7.4.0 array-api-strict==2.6.1
  mypy==2.4.1)
gpu_packages=(nvidia-cuda-nvrtc-cu12==12.9.86)  # compiles the kernels of the GPU on machines without one

summary=()
failed=0
record() { # name, exit status, seconds, processor seconds
  local word=ok
  if (($2 != 0)); then
    word=FAILED
    failed=1
  fi
  summary+=("$(printf '%-46s %-6s %5d s %6d s of processor time' "$1" "$word" "$3" "$4")")
}

cpu_seconds() { # of the processes that process $1 has waited for
  awk -v ticks="$(getconf CLK_TCK)" '{printf "%d", ($16 + $17) / ticks}' "/proc/$1/stat"
}

# step "name" command...: runs one step; after a failure the other steps still run.
step() {
  local name=$1 status=0 start=$SECONDS cpu
  cpu=$(cpu_seconds $$)
  shift
  printf '\n=== %s\n' "$name"
  "$@" || status=$?
  record "$name" "$status" $((SECONDS - start)) $(($(cpu_seconds $$) - cpu))
}

# beside "name" function ["name" function]...: steps that run one after the other, beside those of the foreground.
# join waits for them and prints what they printed. One group at a time.
beside() {
  beside_steps=("$@")
  rm -rf build/beside
  mkdir -p build/beside
  run_beside &
  beside_process=$!
}

run_beside() {
  local i status start cpu me=$BASHPID
  for ((i = 0; i < ${#beside_steps[@]}; i += 2)); do
    status=0 start=$SECONDS cpu=$(cpu_seconds "$me")
    "${beside_steps[i + 1]}" >"build/beside/$i.log" 2>&1 || status=$?
    echo "$status $((SECONDS - start)) $(($(cpu_seconds "$me") - cpu))" >"build/beside/$i.result"
  done
}

join() {
  local i result
  wait "$beside_process" || true
  for ((i = 0; i < ${#beside_steps[@]}; i += 2)); do
    printf '\n=== %s\n' "${beside_steps[i]}"
    cat "build/beside/$i.log"
    read -ra result <"build/beside/$i.result" || result=(1 0 0)
    record "${beside_steps[i]}" "${result[@]}"
  done
}

format_check() {
  git ls-files -z '*.cpp' '*.hpp' '*.cc' '*.inc' | xargs -0 -r clang-format-19 --dry-run -Werror
}

repository_checks() {
  local script
  for script in scripts/check_*.py; do
    [[ -e $script ]] || continue
    echo "$script"
    python3 "$script" || return 1
  done
  python3 scripts/house.py
}

# MPI, and Java, which Spark runs on.
packages_of_all() {
  scripts/install_packages.sh scale || echo "No Java: the tests of Spark are skipped."
  scripts/install_packages.sh mpi
}

# One environment for the tests of the command, one that the wheel alone is tested in.
python_environments() {
  [[ -x $venv/bin/python ]] || python3 -m venv "$venv" || return 1
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${python_packages[@]}" "${build_packages[@]}" \
    $($all && echo "${gpu_packages[@]}") &&
    rm -rf "$wheel_venv" && python3 -m venv "$wheel_venv" &&
    "$wheel_venv/bin/python" -m pip install --quiet --disable-pip-version-check "${wheel_packages[@]}"
}

# The report page: its chart library, and a browser to look at it. Without either its tests are skipped
# and say so.
page_tools() {
  scripts/fetch_charts.sh || echo "No chart library: structhash report is left out."
  scripts/install_packages.sh browser || echo "No browser: the tests of the page are skipped."
}

release_build() {
  cmake --preset release -DSTRUCTHASH_BUILD_TESTS=ON -DSTRUCTHASH_BUILD_BENCHMARKS=$($all && echo ON || echo OFF) \
    -DSTRUCTHASH_PYTHON="$PWD/$venv/bin/python" --log-level=WARNING &&
    cmake --build build/release --parallel "$jobs"
}

# Tests labelled "slow" run with --all.
release_tests() {
  local quick=()
  $all || quick=(-LE slow)
  local compilers=("$PWD/$venv"/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12)
  [[ ! -e ${compilers[0]} ]] || local -x STRUCTHASH_NVRTC=${compilers[0]}
  ctest --preset release --parallel "$jobs" "${quick[@]}" && scripts/generate_estimators.py --check
}

# --fresh: a folder configured for another compiler would silently lose the preset's options.
sanitizer_tests() { # preset, target, further options of cmake
  local preset=$1 target=$2
  shift 2
  cmake --fresh --preset "$preset" "$@" -DSTRUCTHASH_PYTHON="$PWD/$venv/bin/python" --log-level=WARNING &&
    cmake --build "build/$preset" --parallel "$jobs" --target "$target" && ctest --preset "$preset" --parallel "$jobs"
}

# The wheel is made in the release build tree, which holds the compiled library, and tested in an environment of its own.
python_package() {
  local settings=(build-dir=build/release cmake.define.STRUCTHASH_WERROR=ON cmake.define.STRUCTHASH_BUILD_CLI=ON
    cmake.define.STRUCTHASH_BUILD_TESTS=ON)
  rm -rf build/wheel &&
    CXX=c++ PATH="$PWD/$venv/bin:$PATH" "$venv/bin/python" -m pip wheel . --quiet --disable-pip-version-check --no-deps \
      --no-build-isolation --wheel-dir build/wheel "${settings[@]/#/--config-settings=}" &&
    "$wheel_venv/bin/python" -m pip install --quiet --disable-pip-version-check build/wheel/*.whl &&
    "$wheel_venv/bin/python" -m pytest -q tests/python_package
}

# Codes in Faiss, USearch, hnswlib, pgvector and ClickHouse, and the notebook that brings them there. Then Parquet files, a Spark
# cluster of three processes of which one is killed, exports to ClickHouse, PostgreSQL and Faiss.
other_engines() {
  local status=0
  scripts/test_interop.sh build/wheel/*.whl || status=1
  scripts/test_scale.sh build/wheel/*.whl || status=1
  return "$status"
}

# The same wheel with all libraries inside, on a Debian with Python only. The time until the first result is shown; other steps run
# meanwhile, so it is not judged.
manylinux_wheel() {
  rm -rf build/wheelhouse
  scripts/repair_wheel.sh build/wheel/*.whl && scripts/test_wheel_bare.sh build/wheelhouse/*.whl || return 1
  scripts/first_contact.sh build/wheelhouse/*.whl || echo "Slower than promised, or no package index: run it again on an idle machine."
}

# Training on several processes: the command with STRUCTHASH_MPI, compared with the one without.  Only one file differs.
several_processes() {
  local status=0
  cp build/release/bin/structhash build/structhash-without-mpi
  cmake --preset release -DSTRUCTHASH_MPI=ON -DSTRUCTHASH_BUILD_BENCHMARKS=OFF --log-level=WARNING &&
    cmake --build build/release --parallel "$jobs" --target structhash_cli &&
    STRUCTHASH_PLAIN_COMMAND="$PWD/build/structhash-without-mpi" \
      ctest --test-dir build/release --output-on-failure -R python.cluster || status=1
  cmake --preset release --log-level=WARNING >/dev/null &&
    cp build/structhash-without-mpi build/release/bin/structhash && return "$status"
}

# Every reader of files on damaged and invented input, 10 seconds each; scripts/nightly.sh takes longer.
fuzz() {
  scripts/fuzz.sh 10
}

# A build by another compiler, without optimisation and under the sanitizers, makes the same models, codes and neighbours.
same_results() {
  scripts/compare_builds.sh build/release build/asan
}

clang_tidy() {
  cmake --preset tidy --log-level=WARNING && cmake --build build/tidy --parallel "$jobs"
}

step "packages" scripts/install_packages.sh build test python
((failed == 0)) || exit 1
if $all; then
  step "packages of --all" packages_of_all
fi
step "chart library and browser" page_tools
beside "python packages" python_environments
step "format (clang-format-19)" format_check
step "repository checks" repository_checks
step "release: build" release_build
join
step "release: tests" release_tests
if $all; then
  beside "python package: wheel and its tests" python_package \
    "manylinux wheel on a bare system" manylinux_wheel \
    "training on several processes" several_processes \
    "other engines, encoding and serving at scale" other_engines \
    "documentation site" scripts/docs.sh \
    "cppcheck" scripts/cppcheck.sh
  step "address and undefined behaviour sanitizers" sanitizer_tests asan all
  step "fuzzing" fuzz
  step "thread sanitizer" sanitizer_tests tsan thread_tests -DSTRUCTHASH_BUILD_CLI=OFF
  join
  step "same results in both builds" same_results
else
  step "python package: wheel and its tests" python_package
fi
if $tidy; then
  step "clang-tidy-19" clang_tidy
fi

printf '\n=== summary\n'
printf '%s\n' "${summary[@]}"
if ((failed != 0)); then
  echo "FAILED after $SECONDS s"
else
  echo "all steps passed in $SECONDS s"
fi
exit "$failed"
