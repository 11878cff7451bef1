#!/usr/bin/env bash
# Builds the documentation site into build/site, in a Python environment of its own under build/.
#   scripts/docs.sh            builds; warnings, broken links and network resources are errors
#   scripts/docs.sh serve      serves the site at http://127.0.0.1:8000 and follows changes
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment.sh

needed=(mkdocs-material==9.8.1 mkdocs==1.6.1 griffe==2.4.1)

make_environment build/docs-venv
if ! install "${needed[@]}"; then
  echo "The site is not built: ${needed[*]} cannot be installed from PyPI." >&2
  exit 1
fi
export NO_MKDOCS_2_WARNING=1
if [[ ${1:-} == serve ]]; then
  exec build/docs-venv/bin/mkdocs serve
fi
# Not --quiet: it would also hide the warnings that --strict counts.
build/docs-venv/bin/mkdocs build --strict
# Pages must not load anything from the network; links to other sites are fine.
if grep -rnoE --include='*.html' '<(script|img|iframe)[^>]* src="?https?://[^" >]*|<link[^>]*rel="?(stylesheet|preconnect)[^>]*https?://[^" >]*' build/site; then
  echo "These pages load something from the network." >&2
  exit 1
fi
echo "build/site/index.html: $(find build/site -name '*.html' | wc -l) pages"
