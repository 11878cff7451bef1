#pragma once

#include <string>
#include <string_view>

/// The files of kernels/, as they are compiled when a GPU is used.
namespace structhash::search::gpu {

enum class Kernel { scan_dot, scan_mma, scan_wgmma, rank };

inline constexpr Kernel kKernels[] = {Kernel::scan_dot, Kernel::scan_mma, Kernel::scan_wgmma,
                                      Kernel::rank};

std::string_view name_of(Kernel kernel);
/// With what precedes every kernel.
std::string source_of(Kernel kernel);
/// The oldest architecture that runs it; scan_wgmma runs on that one only.
int architecture_of(Kernel kernel);

}  // namespace structhash::search::gpu
