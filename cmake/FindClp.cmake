# COIN-OR CLP ships a pkg-config file and no CMake package; this gives the target Clp::Clp.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PC_Clp QUIET clp)
find_path(Clp_INCLUDE_DIR coin/ClpSimplex.hpp HINTS ${PC_Clp_INCLUDE_DIRS})
find_library(Clp_LIBRARY Clp HINTS ${PC_Clp_LIBRARY_DIRS})
find_library(CoinUtils_LIBRARY CoinUtils HINTS ${PC_Clp_LIBRARY_DIRS})
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY CoinUtils_LIBRARY Clp_INCLUDE_DIR
                                  VERSION_VAR PC_Clp_VERSION)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp UNKNOWN IMPORTED)
  set_target_properties(Clp::Clp PROPERTIES
    IMPORTED_LOCATION "${Clp_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Clp_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CoinUtils_LIBRARY}")
endif()
mark_as_advanced(Clp_INCLUDE_DIR Clp_LIBRARY CoinUtils_LIBRARY)
