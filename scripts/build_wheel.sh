#!/usr/bin/env bash
# Builds manylinux wheels, which hold the module, the command and all libraries, into build/wheelhouse.
#   scripts/build_wheel.sh                  for the Python 3.10, 3.11 and 3.12 or later that are installed here
#   scripts/build_wheel.sh 3.11             for one of them
# One wheel serves Python 3.12 and all later ones (stable ABI). Interpreters are searched for on the PATH, then among those of pyenv.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
needed=(scikit-build-core==1.1.1 nanobind==3.1.0)

# interpreter_of VERSION: a Python of that version with its headers, or nothing.
interpreter_of() {
  local python
  for python in "$(command -v "python$1" || true)" "$HOME"/.pyenv/versions/"$1".*/bin/python; do
    if [[ -x $python ]] && "$python" -c 'import sys, sysconfig, os
v = sys.version_info
sys.exit(f"{v[0]}.{v[1]}" != sys.argv[1] or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' "$1" 2>/dev/null; then
      echo "$python"
      return
    fi
  done
}

# first_of VERSION...: the first version of which there is an interpreter, or nothing.
first_of() {
  local version
  for version in "$@"; do
    if [[ -n $(interpreter_of "$version") ]]; then
      echo "$version"
      return
    fi
  done
}

# build VERSION: one wheel. The library is compiled once for all of them, in the release build's tree and with its settings.
build() {
  local version=$1 tools=build/wheel-build-$1 settings=(build-dir=build/release cmake.define.STRUCTHASH_WERROR=ON)
  if [[ $version != 3.10 && $version != 3.11 ]]; then
    settings+=(wheel.py-api=cp312)
  fi
  [[ -x $tools/bin/python ]] || "$(interpreter_of "$version")" -m venv "$tools"
  make_environment "$tools"
  install "${needed[@]}"
  rm -rf "build/wheel-$version"
  CXX=c++ PATH=$PWD/$tools/bin:$PATH "$tools/bin/python" -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "build/wheel-$version" "${settings[@]/#/--config-settings=}"
  scripts/repair_wheel.sh "build/wheel-$version"/*.whl
}

scripts/fetch_charts.sh || echo "No chart library: wheels without structhash report."
stable=$(first_of 3.12 3.13 3.14)
versions=("$@")
if ((${#versions[@]} == 0)); then
  versions=(3.10 3.11 "${stable:-3.12}")
fi
built=0
for version in "${versions[@]}"; do
  if [[ -z $(interpreter_of "$version") ]]; then
    echo "Skipped: no Python $version with headers on the PATH or among those of pyenv."
    continue
  fi
  printf '\n=== Python %s\n' "$version"
  build "$version"
  built=$((built + 1))
done
ls -l build/wheelhouse/*.whl
((built > 0))
