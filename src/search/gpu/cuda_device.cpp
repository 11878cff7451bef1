#include "search/gpu/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "search/gpu/cuda_driver.hpp"
#include "search/gpu/kernel_compiler.hpp"
#include "search/gpu/kernel_sources.hpp"
#include "structhash/core/error.hpp"

namespace structhash::search::gpu {
namespace {

constexpr Index kCapacity = 2048;
constexpr Index kMostQueries = 1024;
constexpr Index kMostNearest = 1024;
constexpr Index kMostWords = 8;
constexpr Index kFewQueries = 6;            // for which reading the codes for each takes less time
constexpr unsigned kRankedKeys = 4096;      // hits and nearest, in shared memory
constexpr Index kMostRows = 0xFFFFFF00;     // row numbers are of 32 bits
constexpr std::size_t kReserve = 1U << 30;  // bytes for queries, hits and the driver

// As in kernels/.
struct RowsArgument {
  DeviceAddress codes;
  std::uint32_t begin;
  std::uint32_t end;
  DeviceAddress allowed;
};
struct HitsArgument {
  DeviceAddress counts;
  DeviceAddress rows;
  std::uint32_t stride;
  std::uint32_t capacity;
  DeviceAddress bound_rows;
  DeviceAddress bound_codes;
};
struct RankedArgument {
  DeviceAddress nearest;
  DeviceAddress found;
  DeviceAddress bounds;
  DeviceAddress overflowed;
  std::uint32_t k;
  std::uint32_t next_begin;
  std::uint32_t all;
};
struct QueriesArgument {
  DeviceAddress codes;
  DeviceAddress weights;
  std::uint32_t weight_stride;
  DeviceAddress offsets;
  DeviceAddress largest;
  DeviceAddress factors;
};

/// How a scan kernel is launched.
struct ScanShape {
  Kernel kernel;
  Index queries_per_block;
  unsigned threads;
  unsigned shared_bytes;
  unsigned blocks_per_multiprocessor;
};

ScanShape scan_shape(Kernel kernel, Index words) {
  switch (kernel) {
    case Kernel::scan_wgmma:
      return {kernel, 256, 256, static_cast<unsigned>(256 * 64 * words), 1};
    case Kernel::scan_mma: {
      const Index tiles = words == 1 ? 8 : words == 2 ? 4 : words <= 4 ? 2 : 1;
      return {kernel, 16 * tiles, 128, 0, 8};
    }
    default:
      return {Kernel::scan_dot, 1, 256, 0, 8};
  }
}

Kernel best_scan(int architecture, Index queries) {
  if (queries <= kFewQueries || architecture < architecture_of(Kernel::scan_mma)) {
    return Kernel::scan_dot;
  }
  return architecture == architecture_of(Kernel::scan_wgmma) ? Kernel::scan_wgmma
                                                             : Kernel::scan_mma;
}

class CudaDevice final : public ScanDevice {
 public:
  CudaDevice(const CodeSpan& codes, std::unique_ptr<const CudaGpu> gpu, std::optional<Kernel> scan)
      : ScanDevice({.rows = codes.rows,
                    .capacity = kCapacity,
                    .queries = kMostQueries,
                    .k = kMostNearest}),
        gpu_(std::move(gpu)),
        chosen_(scan),
        view_(codes),
        words_(codes.words_per_code()) {
    check_memory(codes);
    codes_.fill(codes.words);
    const ScanShape shape = shape_for(kMostQueries);
    kernel(shape.kernel, true, shape.shared_bytes);  // an error now rather than later
  }

  void allow(std::span<const std::uint64_t> allowed) override {
    gpu_->enter();
    filtered_ = !allowed.empty();
    if (filtered_) {
      allowed_.fill(allowed);
    }
  }

  Ranking nearest(const QueryBatch& batch, std::span<const RowRange> parts, Index k) override {
    gpu_->enter();
    const ScanShape shape = upload(batch, parts.front().begin);
    const auto queries = static_cast<std::size_t>(batch.queries);
    const auto list = static_cast<std::size_t>(k);
    std::vector<Key> lists(queries * list);
    bool any = false;
    std::vector<std::uint32_t> found(queries);
    for (std::size_t query = 0; query < queries; ++query) {
      found[query] = static_cast<std::uint32_t>(batch.nearest[query].size());
      any |= found[query] > 0;
      std::ranges::copy(batch.nearest[query],
                        lists.begin() + static_cast<std::ptrdiff_t>(query * list));
    }
    RankedArgument ranked{
        .nearest = any ? nearest_.fill(lists) : nearest_.reserve(lists.size() * sizeof(Key)),
        .found = found_.fill(found),
        .bounds = bounds_.fill(batch.bounds),
        .overflowed = overflowed_.reserve(parts.size() * queries),
        .k = static_cast<std::uint32_t>(k),
        .next_begin = 0,
        .all = 0};
    for (std::size_t part = 0; part < parts.size(); ++part) {
      ranked.all = part == 0 && all_are_hits(batch, parts[part]) ? 1 : 0;
      if (ranked.all == 0) {
        scan(shape, batch.queries, parts[part]);
      }
      ranked.next_begin =
          static_cast<std::uint32_t>(parts[std::min(part + 1, parts.size() - 1)].begin);
      rank(batch, parts[part], ranked);
      ranked.overflowed += queries;
    }
    Ranking ranking{.nearest = std::vector<std::vector<Key>>(queries),
                    .bounds = std::vector<Key>(queries),
                    .overflowed = std::vector<std::uint8_t>(parts.size() * queries)};
    gpu_->download(found.data(), found_.address(), queries * sizeof(found[0]));
    gpu_->download(lists.data(), nearest_.address(), lists.size() * sizeof(Key));
    gpu_->download(ranking.bounds.data(), bounds_.address(), queries * sizeof(Key));
    gpu_->download(ranking.overflowed.data(), overflowed_.address(), ranking.overflowed.size());
    for (std::size_t query = 0; query < queries; ++query) {
      const auto first = lists.begin() + static_cast<std::ptrdiff_t>(query * list);
      ranking.nearest[query].assign(first, first + found[query]);
    }
    return ranking;
  }

  Hits within(const QueryBatch& batch, RowRange range) override {
    gpu_->enter();
    const ScanShape shape = upload(batch, range.begin);
    scan(shape, batch.queries, range);
    const auto queries = static_cast<std::size_t>(batch.queries);
    Hits hits{.counts = std::vector<std::uint32_t>(queries),
              .rows = std::vector<std::vector<std::uint32_t>>(queries)};
    gpu_->download(hits.counts.data(), counts_.address(), queries * sizeof(std::uint32_t));
    const std::size_t most = std::min<std::size_t>(kCapacity, std::ranges::max(hits.counts));
    std::vector<std::uint32_t> rows(most * stride_);
    gpu_->download(rows.data(), hits_.address(), rows.size() * sizeof(std::uint32_t));
    for (std::size_t query = 0; query < queries; ++query) {
      const std::size_t count = std::min<std::size_t>(kCapacity, hits.counts[query]);
      for (std::size_t place = 0; place < count; ++place) {
        hits.rows[query].push_back(rows[place * stride_ + query]);
      }
    }
    return hits;
  }

 private:
  ScanShape shape_for(Index queries) const {
    return scan_shape(chosen_.value_or(best_scan(gpu_->architecture(), queries)), words_);
  }

  void check_memory(const CodeSpan& codes) const {
    require_device(
        codes.bits <= 64 * kMostWords,
        fmt::format("the device cuda takes codes of at most {} bits, not {}; use the device cpu",
                    64 * kMostWords, codes.bits));
    const std::size_t free_bytes = gpu_->free_memory();
    const std::size_t usable = free_bytes > kReserve ? free_bytes - kReserve : 0;
    const auto fit = static_cast<Index>(usable / (8 * static_cast<std::size_t>(words_)));
    require_device(
        codes.rows <= std::min(fit, kMostRows),
        fmt::format("{} has memory for {} codes of {} bits, not {}; search them in parts, or use "
                    "the device cpu",
                    gpu_->name(), std::min(fit, kMostRows), codes.bits, codes.rows));
  }

  const CudaGpu::Function& kernel(Kernel kind, bool weighted, unsigned shared_bytes) {
    auto& loaded = kernels_[{kind, weighted}];
    if (loaded == nullptr) {
      const char* suffix = kind == Kernel::scan_wgmma ? "a" : "";
      const KernelForm form{.name = std::string(name_of(kind)),
                            .source = source_of(kind),
                            .architecture = fmt::format("sm_{}{}", gpu_->architecture(), suffix),
                            .words = words_,
                            .weighted = weighted};
      const std::vector<char> code = machine_code(compiler_, form, kernel_folder());
      loaded = gpu_->load(code, kind == Kernel::rank ? "rank" : "scan", shared_bytes);
    }
    return *loaded;
  }

  /// The queries and the starts of the first scan; those that fill the last block have no hits.
  ScanShape upload(const QueryBatch& batch, Index first_row) {
    const ScanShape shape = shape_for(batch.queries);
    const Index blocks = (batch.queries + shape.queries_per_block - 1) / shape.queries_per_block;
    stride_ = static_cast<std::size_t>(blocks * shape.queries_per_block);
    std::vector<std::int32_t> starts(stride_);
    for (std::size_t query = 0; query < static_cast<std::size_t>(batch.queries); ++query) {
      starts[query] =
          batch.offsets[query] - 1 -
          limit_of(batch.bounds[query], first_row, batch.factors[query], batch.largest[query]);
    }
    starts_.fill(starts);
    std::vector<std::int8_t> coefficients = batch.coefficients;
    coefficients.resize(stride_ * 64 * static_cast<std::size_t>(words_));
    coefficients_.fill(coefficients);
    offsets_.fill(batch.offsets);
    largest_.fill(batch.largest);
    factors_.fill(batch.factors);
    query_codes_.fill(batch.codes);
    if (!batch.weights.empty()) {
      weights_.fill(batch.weights);
    }
    upload_bounds(batch);
    counts_.reserve(stride_ * sizeof(std::uint32_t));
    gpu_->clear(counts_.address(), stride_ * sizeof(std::uint32_t));
    hits_.reserve(stride_ * kCapacity * sizeof(std::uint32_t));
    return shape;
  }

  /// Without a bound a scan would find out nothing.
  bool all_are_hits(const QueryBatch& batch, RowRange range) const {
    return !filtered_ && range.size() <= kCapacity &&
           std::ranges::all_of(batch.bounds, [](Key bound) { return bound == kNoKey; });
  }

  /// The rows of the bounds and their codes.
  void upload_bounds(const QueryBatch& batch) {
    const auto words = static_cast<std::size_t>(words_);
    std::vector<std::uint32_t> rows(stride_, 0xFFFFFFFFU);
    std::vector<std::uint64_t> codes(stride_ * words);
    for (std::size_t query = 0; query < static_cast<std::size_t>(batch.queries); ++query) {
      rows[query] = static_cast<std::uint32_t>(batch.bounds[query] & 0xFFFFFFFFU);
      if (const auto row = static_cast<Index>(rows[query]); row < view_.rows) {
        std::ranges::copy(view_.row(row),
                          codes.begin() + static_cast<std::ptrdiff_t>(query * words));
      }
    }
    bound_rows_.fill(rows);
    bound_codes_.fill(codes);
  }

  RowsArgument rows_argument(RowRange range) const {
    return {.codes = codes_.address(),
            .begin = static_cast<std::uint32_t>(range.begin),
            .end = static_cast<std::uint32_t>(range.end),
            .allowed = filtered_ ? allowed_.address() : 0};
  }

  HitsArgument hits_argument() const {
    return {.counts = counts_.address(),
            .rows = hits_.address(),
            .stride = static_cast<std::uint32_t>(stride_),
            .capacity = static_cast<std::uint32_t>(kCapacity),
            .bound_rows = bound_rows_.address(),
            .bound_codes = bound_codes_.address()};
  }

  void scan(const ScanShape& shape, Index queries, RowRange range) {
    RowsArgument rows = rows_argument(range);
    HitsArgument hits = hits_argument();
    DeviceAddress coefficients = coefficients_.address();
    DeviceAddress starts = starts_.address();
    std::array<void*, 4> arguments{&rows, &hits, &coefficients, &starts};
    const auto blocks =
        static_cast<unsigned>((queries + shape.queries_per_block - 1) / shape.queries_per_block);
    const unsigned room =
        static_cast<unsigned>(gpu_->multiprocessors()) * shape.blocks_per_multiprocessor;
    const auto useful = static_cast<unsigned>((range.size() + 255) / 256);
    const unsigned columns = std::clamp(room / blocks, 1U, useful);
    gpu_->launch(kernel(shape.kernel, true, shape.shared_bytes),
                 {.columns = columns, .rows = blocks, .threads = shape.threads}, arguments);
  }

  void rank(const QueryBatch& batch, RowRange range, RankedArgument ranked) {
    RowsArgument rows = rows_argument(range);
    HitsArgument hits = hits_argument();
    QueriesArgument queries{
        .codes = query_codes_.address(),
        .weights = batch.weights.empty() ? 0 : weights_.address(),
        .weight_stride = batch.own_weights ? static_cast<std::uint32_t>(64 * words_) : 0,
        .offsets = offsets_.address(),
        .largest = largest_.address(),
        .factors = factors_.address()};
    DeviceAddress starts = starts_.address();
    std::array<void*, 5> arguments{&rows, &hits, &queries, &ranked, &starts};
    gpu_->launch(kernel(Kernel::rank, !batch.weights.empty(), 8 * kRankedKeys),
                 {.columns = static_cast<unsigned>(batch.queries), .rows = 1, .threads = 256},
                 arguments);
  }

  std::unique_ptr<const CudaGpu> gpu_;
  KernelCompiler compiler_;
  std::optional<Kernel> chosen_;
  CodeSpan view_;
  Index words_;
  bool filtered_ = false;
  std::size_t stride_ = 0;  // queries, those that fill the last block included
  std::map<std::pair<Kernel, bool>, std::shared_ptr<const CudaGpu::Function>> kernels_;
  DeviceMemory codes_{*gpu_}, allowed_{*gpu_}, starts_{*gpu_}, coefficients_{*gpu_};
  DeviceMemory offsets_{*gpu_}, largest_{*gpu_}, factors_{*gpu_}, query_codes_{*gpu_};
  DeviceMemory weights_{*gpu_}, counts_{*gpu_}, hits_{*gpu_};
  DeviceMemory bound_rows_{*gpu_}, bound_codes_{*gpu_};
  DeviceMemory nearest_{*gpu_}, found_{*gpu_}, bounds_{*gpu_}, overflowed_{*gpu_};
};

}  // namespace

std::unique_ptr<ScanDevice> make_cuda_device(const CodeSpan& codes, int number,
                                             std::optional<Kernel> scan) {
  return std::make_unique<CudaDevice>(codes, std::make_unique<const CudaGpu>(number), scan);
}

std::string describe_gpu(int number) {
  const CudaGpu gpu(number);
  const KernelCompiler compiler;
  return fmt::format("{} (compute capability {}.{}), driver CUDA {}.{}, NVRTC {}.{}", gpu.name(),
                     gpu.architecture() / 10, gpu.architecture() % 10, gpu.driver_version() / 1000,
                     gpu.driver_version() % 1000 / 10, compiler.version() / 1000,
                     compiler.version() % 1000 / 10);
}

}  // namespace structhash::search::gpu
