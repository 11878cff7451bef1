#!/usr/bin/env bash
# Installs the Debian / Ubuntu packages that are missing, by name, and says which.
#   scripts/install_packages.sh build          what the library and the command need
#   scripts/install_packages.sh build test     and what the tests need
#   scripts/install_packages.sh python         what compiling the Python package needs besides
#   scripts/install_packages.sh nightly        what the measurement of coverage needs
#   scripts/install_packages.sh report         what fetches the chart library of the report page
#   scripts/install_packages.sh browser        the browser that the tests of the page drive
#   scripts/install_packages.sh scale          Java, which Spark runs on
#   scripts/install_packages.sh mpi            what training on several machines needs (STRUCTHASH_MPI)
#   scripts/install_packages.sh bare           what makes the bare systems that wheels are tested in
#   scripts/install_packages.sh container      what builds and tests the container
#   scripts/install_packages.sh aarch64        cross compiler and emulator of scripts/test_aarch64.sh
#   scripts/install_packages.sh --list GROUP   only prints the names of the packages of groups
set -euo pipefail

build_packages=(
  build-essential cmake ninja-build ccache pkg-config git
  libeigen3-dev libopenblas-dev liblapacke-dev liblbfgspp-dev
  coinor-libclp-dev coinor-libcoinutils-dev libhwy-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev libxxhash-dev zlib1g-dev libhdf5-dev
  libpng-dev libturbojpeg0-dev
)
test_packages=(
  libgtest-dev
  clang-19 libclang-rt-19-dev clang-format-19 clang-tidy-19 cppcheck python3 python3-venv
)
python_packages=(python3-dev python3-venv)
nightly_packages=(gcovr)
report_packages=(nodejs npm)
browser_packages=(chromium fonts-dejavu-core)
scale_packages=(openjdk-17-jre-headless)
mpi_packages=(openmpi-bin libopenmpi-dev)
bare_packages=(debootstrap)
container_packages=(buildah)
aarch64_packages=(g++-aarch64-linux-gnu qemu-user-static)

list=false
if [[ ${1:-} == --list ]]; then
  list=true
  shift
fi

wanted=()
for group in "$@"; do
  case $group in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    python) wanted+=("${python_packages[@]}") ;;
    nightly) wanted+=("${nightly_packages[@]}") ;;
    report) wanted+=("${report_packages[@]}") ;;
    browser) wanted+=("${browser_packages[@]}") ;;
    scale) wanted+=("${scale_packages[@]}") ;;
    mpi) wanted+=("${mpi_packages[@]}") ;;
    bare) wanted+=("${bare_packages[@]}") ;;
    container) wanted+=("${container_packages[@]}") ;;
    aarch64) wanted+=("${aarch64_packages[@]}") ;;
    *) echo "install_packages.sh: unknown group '$group'; use build, test, python, nightly, report, browser, scale, mpi, bare, container or aarch64" >&2; exit 2 ;;
  esac
done
if $list; then
  printf '%s\n' "${wanted[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null; then
  echo "This machine has no dpkg. Please install the counterparts of these packages by hand," >&2
  echo "then build with cmake --preset release: ${wanted[*]}" >&2
  exit 2
fi

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
  [[ $status == ii* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "All ${#wanted[@]} packages are installed already."
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Packages are missing and this is neither root nor a machine with sudo: ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
# Dpkg::Use-Pty=0 keeps the log readable; the lock is waited for, as another apt may be running.
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null
echo "Installed."
