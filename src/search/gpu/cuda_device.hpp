#pragma once

#include <memory>
#include <optional>
#include <string>

#include "search/gpu/kernel_sources.hpp"
#include "search/gpu/scan_device.hpp"

namespace structhash::search::gpu {

/// A GPU that holds a copy of the codes, which must stay where they are, too.  Throws DeviceError
/// if it cannot be used, or has no memory for all of them.  `scan`: for all batches; none: the
/// fastest for each.
std::unique_ptr<ScanDevice> make_cuda_device(const CodeSpan& codes, int number,
                                             std::optional<Kernel> scan = std::nullopt);

/// Of GPU `number`: name, architecture, driver, compiler.
std::string describe_gpu(int number);

}  // namespace structhash::search::gpu
