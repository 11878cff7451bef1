# For scripts that test on a bare Debian system, a folder that is entered with chroot; to be sourced.

# bare_root_possible: installs what is needed; if that or chroot is not possible, says why and fails.
bare_root_possible() {
  if ((EUID != 0)); then
    echo "Skipped: a bare system needs root."
  elif ! command -v apt-get >/dev/null; then
    echo "Skipped: a bare system is made with Debian's tools, which are not here."
  elif ! scripts/install_packages.sh bare; then
    echo "Skipped: debootstrap cannot be installed."
  elif ! enter / "--mount --net" -- true 2>/dev/null; then
    echo "Skipped: chroot, mount or unshare is not allowed here."
  else
    return 0
  fi
  return 1
}

# make_bare_root SUITE FOLDER [PACKAGE...]: a Debian of its smallest variant with these packages, from the mirror that apt uses here.
make_bare_root() {
  local suite=$1 folder=$2 mirror packages
  shift 2
  if [[ -e $folder/.complete ]]; then
    return 0
  fi
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -1)
  packages=$(IFS=, && echo "$*")
  rm -rf "$folder"
  mkdir -p "$folder"
  if ! debootstrap --variant=minbase --include="$packages" "$suite" "$folder" "$mirror" >"$folder.log" 2>&1; then
    tail -5 "$folder.log"
    return 1
  fi
  touch "$folder/.complete"
}

# enter FOLDER NAMESPACES SETTINGS... -- COMMAND...: with an environment of these settings only. /proc, without which a program does not
# find its own folder, and pseudo-terminals are there as long as the command runs.
enter() {
  local folder=$1 namespaces=$2 settings=()
  shift 2
  while [[ $1 != -- ]]; do
    settings+=("$1")
    shift
  done
  shift
  # shellcheck disable=SC2086
  unshare $namespaces /bin/sh -c 'folder=$1 && shift && mount -t proc proc "$folder/proc" &&
    mount -t devpts devpts "$folder/dev/pts" -o ptmxmode=666 && exec chroot "$folder" "$@"' sh "$folder" \
    /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${settings[@]}" "$@"
}

# in_root FOLDER COMMAND...: without network.
in_root() { enter "$1" "--mount --net" -- "${@:2}"; }

# in_root_with_network FOLDER COMMAND...: with what pip needs to reach the package index as it does here.
in_root_with_network() {
  local folder=$1 name settings=(PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1)
  mkdir -p "$folder/etc/ssl/certs"
  cp /etc/resolv.conf "$folder/etc/resolv.conf"
  cp "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$folder/etc/ssl/certs/ca-certificates.crt"
  for name in PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT HTTP_PROXY HTTPS_PROXY http_proxy https_proxy; do
    [[ -z ${!name:-} ]] || settings+=("$name=${!name}")
  done
  enter "$folder" --mount "${settings[@]}" -- "${@:2}"
}

# readme_block FILE: writes the Python block of the README.
readme_block() {
  awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$1"
}
