#!/usr/bin/env bash
# Compiles the library and its unit tests for 64-bit ARM and runs them in an emulator: the code for NEON, which x86-64 never compiles.
#   scripts/test_aarch64.sh              every unit test but the slow ones, and the digests of 32 trainings
#   scripts/test_aarch64.sh REGEX        only tests that match
# Nothing of ARM is installed: the packages are unpacked into build/aarch64/sysroot.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/build/aarch64
sysroot=$folder/sysroot

if ! command -v apt-get >/dev/null || ! scripts/install_packages.sh build aarch64; then
  echo "Skipped: the cross compiler and the emulator are Debian packages, which cannot be installed here."
  exit 0
fi

# apt_arm COMMAND...: apt for arm64, with lists, cache and state of its own.
apt_arm() {
  apt-get -qq -o Dir::State="$folder/apt/state" -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" \
    -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o APT::Architecture=arm64 \
    -o APT::Architectures::=arm64 -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o DPkg::Post-Invoke=/bin/true "$@"
}

make_sysroot() {
  local mirror codename package libraries=$sysroot/usr/lib/aarch64-linux-gnu
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Origin: Debian' | grep -vE -- '-(updates|security|backports)$' | head -1)
  codename=${mirror#* }
  rm -rf "$folder/apt" "$sysroot"
  mkdir -p "$folder"/apt/state/lists/partial "$folder"/apt/cache/archives/partial "$sysroot"
  : >"$folder/apt/status"
  echo "deb ${mirror% *} $codename main" >"$folder/apt/sources.list"
  apt_arm update
  mapfile -t packages < <(scripts/install_packages.sh --list build | grep -E '^(lib|coinor-|nlohmann)')
  apt_arm install --download-only --yes "${packages[@]}" libgtest-dev libstdc++6
  for package in "$folder"/apt/cache/archives/*.deb; do
    case $(basename "$package") in # the headers of C and C++ are those of the cross compiler
      libc6-dev_* | libstdc++-*-dev_* | linux-libc-dev_* | libgcc-*-dev_* | gcc* | cpp* | g++*) continue ;;
    esac
    dpkg-deb --extract "$package" "$sysroot"
  done
  # What the packages' installation would link; paths of the system become paths of the folder.
  ln -sf hdf5-serial.pc "$libraries/pkgconfig/hdf5.pc"
  find "$sysroot" -type l -lname '/etc/alternatives/*' -delete
  find "$sysroot" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
    ln -sf "$sysroot$target" "$link"
  done
  touch "$folder/sysroot.complete"
}

[[ -e $folder/sysroot.complete ]] || make_sysroot
cmake -S . -B "$folder/tree" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DSTRUCTHASH_SYSROOT="$sysroot" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DSTRUCTHASH_WERROR=ON -DSTRUCTHASH_BUILD_CLI=OFF \
  -DSTRUCTHASH_BUILD_BENCHMARKS=OFF --log-level=WARNING
cmake --build "$folder/tree" --parallel "$(nproc)"
tests=(-LE slow -E digests)
(($# == 0)) || tests=(-R "$1")
ctest --test-dir "$folder/tree" --output-on-failure --parallel "$(nproc)" --timeout 1800 "${tests[@]}"
