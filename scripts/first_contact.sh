#!/usr/bin/env bash
# Measures how long a stranger waits for the first result, on a bare Debian 12 with Python only.
#   scripts/first_contact.sh FILE.whl       pip install, with its downloads, and the README's Python block: at most 60 s
#   scripts/first_contact.sh --clone        ./demo.sh in a clone, with packages and compilation: at most 6 minutes
#   scripts/first_contact.sh --source       the README's pip install from source in a clone, then ./test.sh: at most 10 minutes
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bare_root.sh
if (($# != 1)) || [[ $1 != --clone && $1 != --source && ! -f $1 ]]; then
  echo "usage: scripts/first_contact.sh FILE.whl | --clone | --source" >&2
  exit 2
fi

# judged WHAT SECONDS LIMIT
judged() {
  local word=pass
  (($2 <= $3)) || word=FAIL
  echo "$word: $1 took $2 s, limit $3 s"
  [[ $word == pass ]]
}

first_wheel() {
  local root=build/bare/bookworm start
  make_bare_root bookworm "$root" python3 python3-venv
  rm -rf "$root/try" "$root/root/.cache"
  mkdir "$root/try"
  cp "$1" "$root/try"
  readme_block "$root/try/readme.py"
  start=$SECONDS
  in_root_with_network "$root" /bin/sh -c "python3 -m venv /try/venv && /try/venv/bin/pip install --quiet /try/$(basename "$1")"
  echo "installed after $((SECONDS - start)) s"
  in_root "$root" /try/venv/bin/python /try/readme.py
  judged "pip install and the README's Python block" $((SECONDS - start)) 60
}

# make_clone FOLDER: a bare root with a clone in /opt/structhash. It has the packages' sources of this machine; nothing else of it, such as
# the compiler cache, is there.
make_clone() {
  rm -rf "$1"
  make_bare_root bookworm "$1" git ca-certificates
  rm -rf "$1"/etc/apt/sources.list*
  cp -r /etc/apt/sources.list* "$1/etc/apt/"
  cp -r /usr/share/keyrings/. "$1/usr/share/keyrings/"
  git clone --quiet . "$1/opt/structhash"
}

# in_clone COMMAND LIMIT: runs the shell command in the clone.
in_clone() {
  local start=$SECONDS
  in_root_with_network build/bare/clone /bin/sh -c "cd /opt/structhash && $1"
  judged "$1" $((SECONDS - start)) "$2"
}

bare_root_possible || exit 0
case $1 in
  --clone)
    make_clone build/bare/clone
    in_clone ./demo.sh 360
    ;;
  --source)
    make_clone build/bare/clone
    in_clone "scripts/install_packages.sh build python && python3 -m venv /opt/venv && /opt/venv/bin/pip install --quiet ." 360
    in_clone "./test.sh" 600
    ;;
  *) first_wheel "$1" ;;
esac
