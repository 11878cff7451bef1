#!/usr/bin/env bash
# Tests the package structhash.interop with the real engines, in an environment of its own under build/.
#   scripts/test_interop.sh              from the sources; the notebook is skipped
#   scripts/test_interop.sh FILE.whl     with the compiled package installed, the notebook too
# STRUCTHASH_COMMAND: the structhash command to compare with (default build/release/bin/structhash, if it is there).
# Engines that cannot be installed are left out, and their tests say so.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh

venv=build/interop-venv
node_folder=build/interop-node
needed=(pytest==9.2.0 numpy==2.4.6)
engines=(faiss-cpu==1.15.1 usearch==2.26.6 hnswlib==0.8.0 chdb==4.4.0 pyarrow==26.0.1 scikit-learn==1.9.1
         onnx==1.23.2 onnxruntime==1.31.1 nbclient==0.11.0 nbformat==5.11.1 ipykernel==7.4.0
         matplotlib==3.11.2)
without_dependencies=(sentence-transformers==6.2.0) # its quantisation alone is tested, which needs no torch
node_packages=(@electric-sql/pglite@0.5.14 @electric-sql/pglite-pgvector@0.0.15)

make_environment "$venv"
install "${needed[@]}"
install_what_can_be "${engines[@]}"
install --no-deps "${without_dependencies[@]}" ||
  echo "Not installed: ${without_dependencies[*]}. Its tests are skipped."
if command -v npm > /dev/null; then
  mkdir -p "$node_folder"
  npm install --prefix "$node_folder" --no-audit --no-fund --loglevel=error "${node_packages[@]}" ||
    echo "Not installed: ${node_packages[*]}. The tests of pgvector are skipped."
else
  echo "No npm: the tests of pgvector are skipped."
fi
if (($# > 0)); then
  install --force-reinstall --no-deps "$1"
fi

"$venv/bin/python" -m pytest -q -rs -p no:cacheprovider tests/python_interop
if (($# > 0)); then
  "$venv/bin/python" -m pytest -q -rs -p no:cacheprovider tests/python_package/test_site_pages.py -k engines
fi
