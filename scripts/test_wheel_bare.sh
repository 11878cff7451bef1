#!/usr/bin/env bash
# Tests a manylinux wheel on a bare Debian that has Python and no compiler, no BLAS, no HDF5 and no network.
#   scripts/test_wheel_bare.sh FILE.whl            Debian 12 (Python 3.11)
#   scripts/test_wheel_bare.sh FILE.whl trixie     Debian 13 (Python 3.13): the wheel for the stable ABI
# STRUCTHASH_COMMAND: the command whose models are compared (default build/release/bin/structhash).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
source scripts/bare_root.sh
if (($# < 1)) || [[ ! -f $1 ]]; then
  echo "usage: scripts/test_wheel_bare.sh FILE.whl [SUITE]" >&2
  exit 2
fi
wheel=$1
suite=${2:-bookworm}
command=${STRUCTHASH_COMMAND:-build/release/bin/structhash}
root=build/bare/$suite

bare_root_possible || exit 0
make_bare_root "$suite" "$root" python3 python3-venv
rm -rf "$root/try"
mkdir -p "$root/try/wheels"
cp "$wheel" "$root/try/wheels"
version=$(in_root "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
make_environment build/wheel-tools
build/wheel-tools/bin/python -m pip download --quiet --disable-pip-version-check --dest "$root/try/wheels" --only-binary=:all: --implementation cp \
  --python-version "$version" --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 \
  numpy scikit-learn
readme_block "$root/try/readme.py"

cat >"$root/try/test.sh" <<'TEST'
set -euo pipefail
cd /try
for absent in gcc cc cmake make; do
  if command -v "$absent"; then
    echo "This system is not bare: it has $absent" >&2
    exit 1
  fi
done
python3 -m venv venv
venv/bin/pip install --quiet --no-index --find-links wheels structhash
PATH=/try/venv/bin:$PATH
echo "README, Python:"
time -p python readme.py
structhash --version
python -m structhash --help >/dev/null
structhash demo --methods structhash,lsh
python - <<'DATA'
import numpy
import structhash
from sklearn.datasets import load_digits

X, y = load_digits(return_X_y=True)
numpy.save("x.npy", X.astype("float32"))
numpy.save("y.npy", y)
structhash.StructHash(bits=32, random_state=1).fit(X[:600], y[:600]).save("python.shm")
DATA
structhash train --features x.npy --labels y.npy --bits 64 --seed 1 --model m.shm 2>/dev/null
structhash encode --model m.shm --features x.npy --codes c.shc
structhash search --model m.shm --codes c.shc --queries x.npy --k 5 --neighbours n.npy
structhash inspect python.shm >/dev/null
# Nothing but the C and C++ libraries of the system and zlib, which Python has, is loaded from outside.
outside=$(for program in venv/lib/python3*/site-packages/structhash/{_core*.so,lib/libstructhash.so,bin/structhash}; do
  ldd "$program"
done | awk '$2 == "=>" { print $1, $3 }' | grep -v site-packages | grep -vE '^(libc|libm|libz|libstdc\+\+|libgcc_s|libpthread|libdl)\.so' || true)
if [[ -n $outside ]]; then
  echo "Loaded from the system: $outside" >&2
  exit 1
fi
TEST
in_root "$root" /bin/bash /try/test.sh

if [[ ! -x $command ]]; then
  echo "Models are not compared: $command is not built."
else
  # Without variables of this machine, one of which may choose the processor that OpenBLAS works for.
  env -i "$command" train --features "$root/try/x.npy" --labels "$root/try/y.npy" --bits 64 --seed 1 --model "$root/try/reference.shm" 2>/dev/null
  if ! cmp "$root/try/m.shm" "$root/try/reference.shm"; then
    echo "The command in the wheel trains another model than $command." >&2
    exit 1
  fi
  echo "The model is the same as that of $command: $(sha256sum <"$root/try/m.shm" | cut -c1-16)"
fi
rm -rf "$root/try"
echo "passed: $(basename "$wheel"), $(stat -c %s "$wheel") bytes, on a bare $suite with Python $version"
