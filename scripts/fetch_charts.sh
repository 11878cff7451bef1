#!/usr/bin/env bash
# Fetches the chart library of the report page, in the versions of report/package-lock.json, and puts it
# with its licences into one file: build/charts/charts.js. CMake builds it into the command.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/charts
if [[ $folder/charts.js -nt report/package-lock.json && $folder/charts.js -nt scripts/fetch_charts.sh ]]; then
  echo "The chart library is there already: $folder/charts.js"
  exit 0
fi
command -v npm >/dev/null || scripts/install_packages.sh report
mkdir -p "$folder"
cp report/package.json report/package-lock.json "$folder"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)

modules=$folder/node_modules
# Every licence text once, under the names of all packages that have it.
licences() {
  local licence package sum
  declare -A names files
  for licence in "$modules"/{vega*,d3-*,delaunator,fast-json-patch,internmap,json-stringify-pretty-compact,robust-predicates,semver,topojson-client,tslib}/LICENSE*; do
    [[ -e $licence ]] || continue
    package=$(basename "$(dirname "$licence")")
    sum=$(sha256sum <"$licence")
    names[$sum]+=" $package"
    files[$sum]=$licence
  done
  for sum in "${!files[@]}"; do
    printf '\n%s:\n' "${names[$sum]}"
    sed 's#\*/#* /#g' "${files[$sum]}"
  done
}

{
  echo "/* Vega, Vega-Lite and Vega-Embed with the packages inside them, under these licences:"
  licences
  echo "*/"
  for script in vega/build/vega vega-lite/build/vega-lite vega-embed/build/vega-embed; do
    grep -v '^//# sourceMappingURL=' "$modules/$script.min.js"
    echo ";"
  done
} >"$folder/charts.js.new"
mv "$folder/charts.js.new" "$folder/charts.js"
echo "The chart library is in $folder/charts.js ($(stat -c %s "$folder/charts.js") bytes)."
