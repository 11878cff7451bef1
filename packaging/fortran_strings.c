/* What LAPACK needs of Fortran's runtime library: joining two strings, such as SIDE // TRANS. The result is cut or padded with
   blanks.
   With this function a wheel need not hold libgfortran and libquadmath. */
#include <stddef.h>
#include <string.h>

void _gfortran_concat_string(size_t size, char *result, size_t size1, const char *part1, size_t size2, const char *part2);

void _gfortran_concat_string(size_t size, char *result, size_t size1, const char *part1, size_t size2, const char *part2) {
  const size_t from1 = size1 < size ? size1 : size;
  const size_t from2 = size2 < size - from1 ? size2 : size - from1;
  memmove(result, part1, from1);
  memmove(result + from1, part2, from2);
  memset(result + from1 + from2, ' ', size - from1 - from2);
}
