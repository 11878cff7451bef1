#include "core/shards.hpp"

#include <algorithm>
#include <cstring>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::string_view bytes_of(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

void add(std::span<const double> part, std::span<double> total) {
  for (std::size_t i = 0; i < total.size(); ++i) {
    total[i] += part[i];
  }
}

}  // namespace

Shards::Shards(const std::vector<Index>& sizes, Communicator* processes)
    : starts_{0}, processes_(processes != nullptr && processes->size() > 1 ? processes : nullptr) {
  require(!sizes.empty(), "a process needs at least one shard");
  for (const Index size : sizes) {
    require(size >= (sizes.size() > 1 ? 1 : 0), "a shard has no rows; use fewer shards");
    starts_.push_back(starts_.back() + size);
  }
  total_ = count();
  all_rows_ = rows();
  if (processes_ == nullptr) {
    return;
  }
  const std::vector<Index> own{count(), rows()};
  total_ = all_rows_ = 0;
  int rank = 0;
  for (const std::string& text : processes_->gather(bytes_of(own.data(), 2 * sizeof(Index)))) {
    std::vector<Index> other(2);
    std::memcpy(other.data(), text.data(), 2 * sizeof(Index));
    first_ += rank < processes_->rank() ? other[0] : 0;
    first_row_ += rank < processes_->rank() ? other[1] : 0;
    total_ += other[0];
    all_rows_ += other[1];
    ++rank;
  }
}

/// The sum starts from the first part, not from zero: the sum over one shard then equals its part
/// bit for bit, even the sign of a zero.
std::vector<double> Shards::sum(
    Index size, const std::function<void(Index shard, std::span<double> part)>& fill) const {
  const auto length = static_cast<std::size_t>(size);
  std::vector<double> total(length, 0.0);
  if (processes_ == nullptr) {
    fill(0, total);
    std::vector<double> part;
    for (Index shard = 1; shard < count(); ++shard) {
      part.assign(length, 0.0);
      fill(shard, part);
      add(part, total);
    }
    return total;
  }
  std::vector<std::vector<double>> parts(static_cast<std::size_t>(count()));
  for (Index shard = 0; shard < count(); ++shard) {
    auto& part = parts[static_cast<std::size_t>(shard)];
    part.assign(length, 0.0);
    fill(shard, part);
  }
  processes_->sum_in_order(total, [&] {
    for (Index shard = 0; shard < count(); ++shard) {
      const auto& part = parts[static_cast<std::size_t>(shard)];
      if (number(shard) == 0) {
        std::ranges::copy(part, total.begin());
      } else {
        add(part, total);
      }
    }
  });
  return total;
}

std::vector<std::string> Shards::gather(std::string_view own) const {
  return processes_ == nullptr ? std::vector{std::string(own)} : processes_->gather(own);
}

Matrix<float> Shards::gather_rows(const MatrixView& x, std::span<const Index> numbers) const {
  std::vector<Index> own;
  for (const Index number : numbers) {
    const Index row = number - first_row_;
    if (row >= 0 && row < rows()) {
      own.push_back(row);
    }
  }
  Matrix<float> mine = x(own, Eigen::all);
  if (processes_ == nullptr) {
    return mine;
  }
  Matrix<float> all(static_cast<Index>(numbers.size()), x.cols());
  auto* to = reinterpret_cast<char*>(all.data());
  const auto size = static_cast<std::size_t>(mine.size()) * sizeof(float);
  for (const std::string& text : processes_->gather(bytes_of(mine.data(), size))) {
    to = std::ranges::copy(text, to).out;
  }
  return all;
}

}  // namespace structhash
