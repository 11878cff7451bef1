#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "search/gpu/scan_device.hpp"

/// The scan on a GPU: the answers of flat_scan.hpp, bit for bit (docs/gpu.md).
namespace structhash::search {

class GpuScan : public SearchEngine {
 public:
  /// As nearest_asymmetric of flat_scan.hpp, among the codes of the engine.
  virtual Neighbours nearest_values(const MatrixView& values, std::span<const float> bit_weights,
                                    Index k, const SearchOptions& options) const = 0;
};

/// "cpu", "cuda" (the first GPU) or "cuda:N"; throws Errc::usage for any other word.
bool is_gpu(std::string_view device);

/// Copies the codes to the GPU.  Without weights: plain Hamming distance.  The engine keeps a view,
/// too: `database` outlives it and does not change.  DeviceError, in one sentence, without a
/// driver, a GPU, NVRTC, or memory for all codes.
std::unique_ptr<GpuScan> make_gpu_scan(const CodeSpan& database, std::span<const float> bit_weights,
                                       std::string_view device);

/// On any device that holds the codes.
std::unique_ptr<GpuScan> make_gpu_scan(const CodeSpan& database, std::span<const float> bit_weights,
                                       std::unique_ptr<gpu::ScanDevice> device);

}  // namespace structhash::search
