#include "search/gpu/gpu_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>

#include "search/checks.hpp"
#include "search/gpu/cuda_device.hpp"
#include "search/gpu/staged_search.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash::search {
namespace {

using gpu::DeviceQueries;
using gpu::StagedAnswer;

/// Queries first .. first + count - 1.
CodeSpan some_codes(const CodeSpan& codes, Index first, Index count) {
  const auto words = static_cast<std::size_t>(codes.words_per_code());
  return {codes.words.subspan(static_cast<std::size_t>(first) * words,
                              static_cast<std::size_t>(count) * words),
          count, codes.bits};
}

CodeMatrix picked_codes(const CodeSpan& codes, const std::vector<Index>& which) {
  CodeMatrix picked(std::ssize(which), codes.bits);
  auto out = picked.mutable_words().begin();
  for (const Index row : which) {
    out = std::ranges::copy(codes.row(row), out).out;
  }
  return picked;
}

/// WeightTable refuses weights whose sum is no float.
void check_sum(std::span<const float> bit_weights) {
  float total = 0.0F;
  for (const float weight : bit_weights) {
    total += weight;
  }
  if (!std::isfinite(total)) {
    const WeightTable refused(bit_weights);
  }
}

class DeviceScan final : public GpuScan {
 public:
  DeviceScan(const CodeSpan& database, std::span<const float> bit_weights,
             std::unique_ptr<gpu::ScanDevice> device)
      : database_(database),
        weights_(bit_weights.begin(), bit_weights.end()),
        device_(std::move(device)),
        on_cpu_(weights_.empty() ? make_flat_scan(database) : make_flat_scan(database, weights_)) {}

  Neighbours nearest(const CodeSpan& queries, Index k,
                     const SearchOptions& options) const override {
    check_queries(database_, queries);
    check_options(database_, options);
    check_k(k);
    return in_groups(
        queries.rows, k, options,
        [&](Index first, Index count) {
          const DeviceQueries group{.codes = some_codes(queries, first, count),
                                    .weights = weights_,
                                    .own_weights = false};
          return staged_nearest(*device_, group, std::min(k, database_.rows));
        },
        [&](const std::vector<Index>& which) {
          return on_cpu_->nearest(picked_codes(queries, which), k, options);
        });
  }

  Neighbours within(const CodeSpan& queries, float radius,
                    const SearchOptions& options) const override {
    check_queries(database_, queries);
    check_options(database_, options);
    check_radius(radius);
    return in_groups(
        queries.rows, 1, options,
        [&](Index first, Index count) {
          const DeviceQueries group{.codes = some_codes(queries, first, count),
                                    .weights = weights_,
                                    .own_weights = false};
          StagedAnswer answer = staged_within(*device_, group, radius);
          measure(group.codes, radius, options.threads, answer.lists);
          return answer;
        },
        [&](const std::vector<Index>& which) {
          return on_cpu_->within(picked_codes(queries, which), radius, options);
        });
  }

  Neighbours nearest_values(const MatrixView& values, std::span<const float> bit_weights, Index k,
                            const SearchOptions& options) const override {
    check_values(database_, values, bit_weights);
    check_options(database_, options);
    check_k(k);
    return in_groups(
        values.rows(), k, options,
        [&](Index first, Index count) {
          CodeMatrix codes(count, database_.bits);
          std::vector<float> weights;
          auto out = codes.mutable_words().begin();
          for (Index row = first; row < first + count; ++row) {
            const SignsAndWeights query = split_values(values, row, bit_weights);
            check_sum(query.weights);
            out = std::ranges::copy(query.code.words(), out).out;
            weights.insert(weights.end(), query.weights.begin(), query.weights.end());
          }
          const DeviceQueries group{.codes = codes, .weights = weights, .own_weights = true};
          return staged_nearest(*device_, group, std::min(k, database_.rows));
        },
        [&](const std::vector<Index>& which) {
          Matrix<float> picked(std::ssize(which), values.cols());
          for (Index i = 0; i < picked.rows(); ++i) {
            picked.row(i) = values.row(which[static_cast<std::size_t>(i)]);
          }
          return nearest_asymmetric(database_, picked, bit_weights, k, options);
        });
  }

  std::string_view name() const override { return "gpu scan"; }

 private:
  /// What the device cannot finish, or not rank because k is too large, is scanned by the CPU.
  template <typename OnDevice, typename OnCpu>
  Neighbours in_groups(Index queries, Index k, const SearchOptions& options,
                       const OnDevice& on_device, const OnCpu& on_cpu) const {
    Neighbours found(static_cast<std::size_t>(queries));
    if (queries == 0 || database_.rows == 0) {
      return found;
    }
    std::vector<Index> left;
    if (std::min(k, database_.rows) > device_->limits().k) {
      for (Index query = 0; query < queries; ++query) {
        left.push_back(query);
      }
    } else {
      const std::scoped_lock lock(in_use_);
      device_->allow(options.allowed);
      const Index most = device_->limits().queries;
      for (Index first = 0; first < queries; first += most) {
        StagedAnswer answer = on_device(first, std::min(most, queries - first));
        std::ranges::move(answer.lists, found.begin() + first);
        for (const Index query : answer.unfinished) {
          left.push_back(first + query);
        }
      }
    }
    if (!left.empty()) {
      Neighbours others = on_cpu(left);
      for (std::size_t i = 0; i < left.size(); ++i) {
        found[static_cast<std::size_t>(left[i])] = std::move(others[i]);
      }
    }
    return found;
  }

  /// Exact distances; rows beyond the radius go.
  void measure(const CodeSpan& queries, float radius, int threads, Neighbours& lists) const {
    const BitWeights bit_weights(weights_);
    const auto table = weights_.empty() ? nullptr : bit_weights.table(0);
    parallel_for(queries.rows, threads, 16, [&](Index begin, Index end) {
      for (Index query = begin; query < end; ++query) {
        auto& list = lists[static_cast<std::size_t>(query)];
        for (Neighbour& one : list) {
          const CodeView code = database_.row(one.row);
          one.distance = table ? table->distance(queries.row(query), code)
                               : static_cast<float>(hamming(queries.row(query), code));
        }
        std::erase_if(list, [&](const Neighbour& one) { return one.distance > radius; });
        std::ranges::sort(list);
      }
    });
  }

  CodeSpan database_;
  std::vector<float> weights_;
  std::unique_ptr<gpu::ScanDevice> device_;
  std::unique_ptr<SearchEngine> on_cpu_;
  mutable std::mutex in_use_;  // of the device, which serves one search at a time
};

constexpr std::string_view kCuda = "cuda";

/// -1: the CPU.
int gpu_number(std::string_view device) {
  if (device == "cpu") {
    return -1;
  }
  int number = 0;
  if (device.starts_with(kCuda)) {
    const std::string_view rest = device.substr(kCuda.size());
    const auto [end, problem] = std::from_chars(rest.data() + (rest.starts_with(':') ? 1 : 0),
                                                rest.data() + rest.size(), number);
    const bool numbered = rest.size() > 1 && rest[0] == ':' && problem == std::errc() &&
                          end == rest.data() + rest.size() && number >= 0;
    if (rest.empty() || numbered) {
      return rest.empty() ? 0 : number;
    }
  }
  fail(Errc::usage,
       fmt::format("unknown device '{}'; devices are cpu, cuda and cuda:N for GPU N", device));
}

}  // namespace

bool is_gpu(std::string_view device) {
  return gpu_number(device) >= 0;
}

std::unique_ptr<GpuScan> make_gpu_scan(const CodeSpan& database, std::span<const float> bit_weights,
                                       std::string_view device) {
  const int number = gpu_number(device);
  require(number >= 0, "a scan on a GPU needs the device cuda or cuda:N");
  return make_gpu_scan(database, bit_weights, gpu::make_cuda_device(database, number));
}

std::unique_ptr<GpuScan> make_gpu_scan(const CodeSpan& database, std::span<const float> bit_weights,
                                       std::unique_ptr<gpu::ScanDevice> device) {
  check_codes(database);
  if (!bit_weights.empty()) {
    check_weight_count(database, bit_weights);
    check_sum(bit_weights);
  }
  return std::make_unique<DeviceScan>(database, bit_weights, std::move(device));
}

}  // namespace structhash::search
