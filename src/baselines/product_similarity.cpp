#include "baselines/product_similarity.hpp"

#include <map>

namespace structhash {
namespace {

constexpr std::size_t kByte = 8;

bool differ(CodeView a, CodeView b, Index bit) {
  const auto word = static_cast<std::size_t>(bit / 64);
  return (((a[word] ^ b[word]) >> static_cast<unsigned>(bit % 64)) & 1U) != 0;
}

}  // namespace

ProductSimilarity::ProductSimilarity(std::span<const Bit> bits) {
  std::map<int, std::map<int, Factor>> sorted;
  for (std::size_t b = 0; b < bits.size(); ++b) {
    sorted[bits[b].level][bits[b].component].push_back({static_cast<Index>(b), bits[b].weight});
  }
  for (const auto& [level, components] : sorted) {
    auto& factors = by_level_.emplace_back();
    for (const auto& [component, factor] : components) {
      packable_ = packable_ && factor.size() <= kByte;
      factors.push_back(factor);
    }
    if (packable_) {
      pack_level(factors);
    }
  }
}

void ProductSimilarity::pack_level(const std::vector<Factor>& factors) {
  bytes_.push_back({.bits = {}, .products = {1.0}});
  for (const Factor& factor : factors) {
    if (bytes_.back().bits.size() + factor.size() > kByte) {
      bytes_.push_back({.bits = {}, .products = {1.0}});
    }
    Byte& byte = bytes_.back();
    std::vector<double> products;
    for (unsigned pattern = 0; pattern < 1U << factor.size(); ++pattern) {
      double sum = 1.0;
      for (std::size_t m = 0; m < factor.size(); ++m) {
        sum += ((pattern >> m) & 1U) == 0 ? factor[m].weight : -factor[m].weight;
      }
      for (const double earlier : byte.products) {
        products.push_back(earlier * sum);
      }
    }
    byte.products = std::move(products);
    for (const Member& member : factor) {
      byte.bits.push_back(member.bit);
    }
  }
  bytes_.back().ends_level = true;
}

std::vector<std::uint8_t> ProductSimilarity::pack(const CodeMatrix& codes) const {
  std::vector<std::uint8_t> packed;
  packed.reserve(static_cast<std::size_t>(codes.rows()) * bytes_.size());
  for (Index row = 0; row < codes.rows(); ++row) {
    for (const Byte& byte : bytes_) {
      unsigned value = 0;
      for (std::size_t b = 0; b < byte.bits.size(); ++b) {
        value |= static_cast<unsigned>(codes.bit(row, byte.bits[b])) << b;
      }
      packed.push_back(static_cast<std::uint8_t>(value));
    }
  }
  return packed;
}

double ProductSimilarity::packed(std::span<const std::uint8_t> a,
                                 std::span<const std::uint8_t> b) const {
  double total = 0.0;
  double product = 1.0;
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    product *= bytes_[i].products[static_cast<std::size_t>(a[i] ^ b[i])];
    if (bytes_[i].ends_level) {
      total += product - 1.0;
      product = 1.0;
    }
  }
  return total;
}

double ProductSimilarity::operator()(CodeView a, CodeView b) const {
  double total = 0.0;
  for (const std::vector<Factor>& factors : by_level_) {
    double product = 1.0;
    for (const Factor& factor : factors) {
      double sum = 1.0;
      for (const Member& member : factor) {
        sum += differ(a, b, member.bit) ? -member.weight : member.weight;
      }
      product *= sum;
    }
    total += product - 1.0;
  }
  return total;
}

}  // namespace structhash
