#!/usr/bin/env bash
# Installs what is missing, builds the command, compares the methods on the embedded digits and questions, and ends
# with a page of tables, charts, pictures and texts: demo-report.html.
#   ./demo.sh [OPTION...]            options of structhash demo
#   ./demo.sh --python [OPTION...]   the same through a wheel, which is built and installed into build/demo-venv, after the README's
#                                    Python example
set -euo pipefail
cd "$(dirname "$0")"

python=false
if [[ ${1:-} == --python ]]; then
  python=true
  shift
fi
report=(--report demo-report.html)
if [[ " $* " == *" --report "* ]]; then
  report=() # the caller has named one
fi

# The wheel for the python3 of this machine, in an environment of its own.
python_demo() {
  scripts/install_packages.sh build python
  scripts/build_wheel.sh "$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
  python3 -m venv --clear build/demo-venv
  build/demo-venv/bin/pip install --quiet --disable-pip-version-check numpy scikit-learn
  build/demo-venv/bin/pip install --quiet --disable-pip-version-check --no-index --find-links build/wheelhouse structhash
  source scripts/bare_root.sh
  readme_block build/readme.py
  printf '\n=== the example of the README\n'
  cat build/readme.py
  build/demo-venv/bin/python build/readme.py
  printf '\n=== structhash demo\n'
  exec build/demo-venv/bin/structhash demo "$@"
}

if $python; then
  scripts/fetch_charts.sh || report=()
  python_demo "${report[@]}" "$@"
fi
scripts/install_packages.sh build
if ! scripts/fetch_charts.sh; then
  echo "The chart library cannot be fetched; the demo goes on without its page."
  report=()
fi
# A release build without tests and benchmarks: they would need packages the demo does not.
cmake --preset release -DSTRUCTHASH_BUILD_TESTS=OFF -DSTRUCTHASH_BUILD_BENCHMARKS=OFF --log-level=WARNING
cmake --build build/release --parallel "$(nproc)" --target structhash_cli
echo
build/release/bin/structhash demo "${report[@]}" "$@"
