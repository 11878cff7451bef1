#!/usr/bin/env bash
# Makes the libraries that scripts/repair_wheel.sh puts into a wheel in place of Debian's: the same code without what nothing calls.
#   scripts/wheel_libraries.sh      into build/wheel-libraries; docs/packaging.md says what each is for
# Then compares the digests of 32 trainings with them, if build/release/bin/digest_probe is there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/wheel-libraries
patchelf=${PATCHELF:-patchelf}
rm -rf "$folder"
mkdir -p "$folder/objects"
: >"$folder/objects/empty.c"

# library_of NAME: the path of a library of the system.
library_of() {
  local path
  path=$(cc -print-file-name="$1")
  if [[ $path != /* ]]; then
    echo "$1 is missing; install its package with scripts/install_packages.sh build" >&2
    return 1
  fi
  readlink -f "$path"
}

# OpenBLAS and LAPACKE from their archives: the functions that the sources and libCoinUtils call, with the kernels of every processor.
# Kernels of complex numbers, more than half of the whole, become weak references: no function here leads to them.
numerics() {
  local archive lapacke called kernels kernel
  archive=$(library_of libopenblas.a)
  lapacke=$(library_of liblapacke.a)
  called=$(grep -rhoE '\b(cblas|LAPACKE|openblas|gotoblas)_[a-z_]+' src | sort -u
    nm -D --undefined-only "$(library_of libCoinUtils.so)" | awk '$2 ~ /^[sd][a-z0-9]+_$/ { print $2 }')
  mapfile -t kernels < <(ar t "$archive" | grep '^setparam_')
  if ((${#kernels[@]} == 0)); then
    echo "$archive holds the kernels of one processor only; a wheel needs those of all" >&2
    return 1
  fi
  (cd "$folder/objects" && ar x "$archive" "${kernels[@]}")
  for kernel in "${kernels[@]}"; do
    nm -u "$folder/objects/$kernel" | awk '$2 ~ /^i?[cz].*_[A-Z0-9_]+$/ { print $2 }' >"$folder/objects/complex"
    objcopy --weaken-symbols="$folder/objects/complex" "$folder/objects/$kernel"
  done
  printf '{ global: %s local: *; };\n' "$(printf '%s; ' $called)" >"$folder/objects/exported"
  cc -O2 -fPIC -c packaging/fortran_strings.c -o "$folder/objects/fortran_strings.o"
  cc -shared -o "$folder/libopenblas.so.0" -Wl,-soname,libopenblas.so.0 $(printf -- '-Wl,-u,%s ' $called) \
    "$folder"/objects/*.o "$lapacke" "$archive" -lm -lpthread -Wl,--version-script="$folder/objects/exported" \
    -Wl,-z,nodynamic-undefined-weak -Wl,-z,defs -Wl,-z,noexecstack -Wl,--gc-sections -s
}

# stand_in SONAME SYMBOL_VERSION OPTION...: a library of packaging/absent_network.c.
stand_in() {
  printf '%s { *; };\n' "$2" >"$folder/objects/version"
  cc -shared -fPIC -O2 "${@:3}" packaging/absent_network.c -o "$folder/$1" -Wl,-soname,"$1" \
    -Wl,--version-script="$folder/objects/version" -s
}

numerics
stand_in libcurl.so.4 CURL_OPENSSL_4 -DCURL
stand_in libcrypto.so.3 OPENSSL_3.0.0
# The solver of linear programmes calls LAPACK: that of libopenblas.
cp "$(library_of libCoinUtils.so)" "$folder/libCoinUtils.so.3"
"$patchelf" --replace-needed liblapack.so.3 libopenblas.so.0 "$folder/libCoinUtils.so.3"
# For programs that are not repaired, such as the one below: LAPACKE is part of libopenblas here.
cc -shared -o "$folder/liblapacke.so.3" -Wl,-soname,liblapacke.so.3 "$folder/objects/empty.c" -Wl,--no-as-needed \
  "$folder/libopenblas.so.0" -s
rm -r "$folder/objects"
ls -l "$folder" | awk 'NR > 1 { print $5, $9 }'

probe=build/release/bin/digest_probe
if [[ -x $probe ]]; then
  if ! grep -qw avx2 /proc/cpuinfo; then
    echo "Digests are not compared: they are those of processors with AVX2."
  else
    LD_LIBRARY_PATH=$folder OPENBLAS_CORETYPE=Haswell "$probe" | diff - tests/golden/digests.txt >/dev/null || {
      echo "Trainings with $folder differ from tests/golden/digests.txt" >&2
      exit 1
    }
    echo "The digests of $(wc -l <tests/golden/digests.txt) trainings are those of tests/golden/digests.txt."
  fi
fi
