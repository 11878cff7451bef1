#!/usr/bin/env bash
# Builds packaging/Containerfile with buildah and runs the command and Python in the result.
# The base image is made here with debootstrap, because registries of images may be out of reach.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/bare_root.sh
base=build/bare/container
certificates=${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs

bare_root_possible || exit 0
scripts/install_packages.sh container || { echo "Skipped: buildah cannot be installed."; exit 0; }
make_bare_root bookworm "$base" ca-certificates

working=$(buildah from scratch)
buildah add --quiet "$working" "$base" / >/dev/null
buildah config --env PIP_CERT=/opt/certificates --env NODE_EXTRA_CA_CERTS=/opt/certificates "$working"
buildah commit --quiet --rm "$working" localhost/debian:12 >/dev/null

sed 's|^FROM debian:12|FROM localhost/debian:12|' packaging/Containerfile |
  buildah build --quiet --layers --file - --volume "$certificates:/opt/certificates:ro" --tag structhash-test . >/dev/null

working=$(buildah from structhash-test)
trap 'buildah rm "$working" >/dev/null' EXIT
readme_block build/readme.py
buildah copy --quiet "$working" build/readme.py /data/readme.py >/dev/null
buildah run "$working" -- structhash --version
buildah run "$working" -- structhash demo --methods structhash,lsh --report /data/report.html
buildah run "$working" -- python readme.py
echo "passed: $(buildah images --format '{{.Size}}' structhash-test | head -1)"
