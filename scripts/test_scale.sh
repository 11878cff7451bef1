#!/usr/bin/env bash
# Tests encoding on Spark, Dask and Parquet files and the exports to engines, in an environment of its own under build/.
#   scripts/test_scale.sh FILE.whl       with the compiled package installed
# Spark needs Java 17 or later (scripts/install_packages.sh scale); PGlite comes from scripts/test_interop.sh.
# What cannot be installed is left out, and its tests say so.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh

if (($# != 1)); then
  echo "usage: scripts/test_scale.sh FILE.whl" >&2
  exit 2
fi
venv=build/scale-venv
needed=(pytest==9.2.0 numpy==2.4.6 scikit-learn==1.9.1 pyarrow==26.0.1)
engines=(pyspark==4.1.4 pandas==3.1.1 dask==2026.8.0 chdb==4.4.0 faiss-cpu==1.15.1)

make_environment "$venv"
install "${needed[@]}"
install_what_can_be "${engines[@]}"
install --force-reinstall --no-deps "$1"

"$venv/bin/python" -m pytest -q -rs -p no:cacheprovider tests/python_scale
