# For scripts that test with other packages, each in a Python environment of its own under build/; to be sourced.

# make_environment FOLDER: what follows installs there.
make_environment() {
  environment=$1
  [[ -x $environment/bin/python ]] || python3 -m venv "$environment"
}

install() { "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

# install_what_can_be PACKAGE...: all at once is quicker; one by one says which is missing.
install_what_can_be() {
  local package
  install "$@" && return
  for package in "$@"; do
    install "$package" || echo "Not installed: $package. Its tests are skipped."
  done
}
