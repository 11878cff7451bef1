# Debian's OpenBLAS: its CMake config differs between releases, so the library is looked up directly.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PC_OpenBLAS QUIET openblas)
find_path(OpenBLAS_INCLUDE_DIR cblas.h HINTS ${PC_OpenBLAS_INCLUDE_DIRS})
find_library(OpenBLAS_LIBRARY openblas HINTS ${PC_OpenBLAS_LIBRARY_DIRS})
find_path(LAPACKE_INCLUDE_DIR lapacke.h)
find_library(LAPACKE_LIBRARY lapacke)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR LAPACKE_LIBRARY LAPACKE_INCLUDE_DIR
  VERSION_VAR PC_OpenBLAS_VERSION)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR};${LAPACKE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LAPACKE_LIBRARY}")
endif()
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY)
