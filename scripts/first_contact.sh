#!/usr/bin/env bash
# Measures how long a stranger waits for the first result, on a bare Debian 12 with Python only.
#   scripts/first_contact.sh FILE.whl       pip install, with its downloads, and the README's Python block: at most 60 s
#   scripts/first_contact.sh --clone        ./demo.sh in a clone, with packages and compilation: at most 6 minutes
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bare_root.sh
if (($# != 1)) || [[ $1 != --clone && ! -f $1 ]]; then
  echo "usage: scripts/first_contact.sh FILE.whl | --clone" >&2
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

# The copy has the packages' sources of this machine; nothing else of it, such as the compiler cache, is there.
first_clone() {
  local root=build/bare/clone start
  rm -rf "$root"
  make_bare_root bookworm "$root" git ca-certificates
  rm -rf "$root"/etc/apt/sources.list*
  cp -r /etc/apt/sources.list* "$root/etc/apt/"
  cp -r /usr/share/keyrings/. "$root/usr/share/keyrings/"
  git clone --quiet . "$root/opt/structhash"
  start=$SECONDS
  in_root_with_network "$root" /bin/sh -c "cd /opt/structhash && ./demo.sh"
  judged "./demo.sh in a clone" $((SECONDS - start)) 360
}

bare_root_possible || exit 0
if [[ $1 == --clone ]]; then
  first_clone
else
  first_wheel "$1"
fi
