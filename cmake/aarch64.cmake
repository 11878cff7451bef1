# Compiles for 64-bit ARM with Debian's cross compiler and runs what it compiled in QEMU; scripts/test_aarch64.sh makes the sysroot,
# a folder of Debian's arm64 packages, and names it in STRUCTHASH_SYSROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STRUCTHASH_SYSROOT)

# Not CMAKE_SYSROOT: the C and C++ libraries are those of the cross compiler.
set(CMAKE_FIND_ROOT_PATH ${STRUCTHASH_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(arm_libraries /usr/lib/aarch64-linux-gnu)
set(CMAKE_LIBRARY_PATH ${arm_libraries}/openblas-pthread)
set(CMAKE_INCLUDE_PATH /usr/include/aarch64-linux-gnu/openblas-pthread /usr/include/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${STRUCTHASH_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${STRUCTHASH_SYSROOT}${arm_libraries}/pkgconfig:${STRUCTHASH_SYSROOT}/usr/share/pkgconfig)

set(arm_folders "")
foreach(folder ${arm_libraries}/openblas-pthread ${arm_libraries}/hdf5/serial ${arm_libraries} /lib/aarch64-linux-gnu)
  string(APPEND arm_folders :${STRUCTHASH_SYSROOT}${folder})
endforeach()
string(SUBSTRING ${arm_folders} 1 -1 arm_folders)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${arm_folders})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;${STRUCTHASH_SYSROOT};-E;LD_LIBRARY_PATH=${arm_folders})
