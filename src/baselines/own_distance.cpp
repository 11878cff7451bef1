#include "structhash/baselines/own_distance.hpp"

#include <bit>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kNoBallShared = 0.1;  // keeps the quotient finite

bool bit_of(CodeView code, Index bit) {
  return ((code[static_cast<std::size_t>(bit / 64)] >> static_cast<unsigned>(bit % 64)) & 1U) != 0;
}

/// Weights and levels as fit_mdsh wrote them.
ProductSimilarity product_similarity(const HashModel& model) {
  const auto* encoder = std::get_if<CurveEncoder>(&model.encoder);
  const nlohmann::json parameters = nlohmann::json::parse(model.parameters);
  try {
    const auto weights = parameters.at("weights").get<std::vector<double>>();
    const auto levels = parameters.at("levels").get<std::vector<int>>();
    if (encoder != nullptr && std::ssize(weights) == model.bits() &&
        levels.size() == weights.size()) {
      std::vector<ProductSimilarity::Bit> bits;
      for (std::size_t b = 0; b < weights.size(); ++b) {
        bits.push_back({levels[b], encoder->components[b], weights[b]});
      }
      return ProductSimilarity(bits);
    }
  } catch (const nlohmann::json::exception&) {
    // falls through to the message below
  }
  fail(Errc::bad_data,
       "the parameters of this mdsh model do not name one weight and one level per bit; train it "
       "again, or compare its codes by Hamming distance");
}

}  // namespace

double spherical_hamming(CodeView a, CodeView b) {
  Index differ = 0;
  Index both = 0;
  for (std::size_t word = 0; word < a.size(); ++word) {
    differ += std::popcount(a[word] ^ b[word]);
    both += std::popcount(a[word] & b[word]);
  }
  return real(differ) / (real(both) + kNoBallShared);
}

ProductSimilarity::ProductSimilarity(std::span<const Bit> bits) {
  std::map<int, std::map<int, Factor>> sorted;
  for (std::size_t b = 0; b < bits.size(); ++b) {
    sorted[bits[b].level][bits[b].component].push_back({static_cast<Index>(b), bits[b].weight});
  }
  for (const auto& [level, components] : sorted) {
    auto& factors = by_level_.emplace_back();
    for (const auto& [component, factor] : components) {
      factors.push_back(factor);
    }
  }
}

double ProductSimilarity::operator()(CodeView a, CodeView b) const {
  double total = 0.0;
  for (const std::vector<Factor>& factors : by_level_) {
    double product = 1.0;
    for (const Factor& factor : factors) {
      double sum = 1.0;
      for (const Member& member : factor) {
        sum += bit_of(a, member.bit) == bit_of(b, member.bit) ? member.weight : -member.weight;
      }
      product *= sum;
    }
    total += product - 1.0;
  }
  return total;
}

std::optional<OwnDistance> own_distance(const HashModel& model) {
  if (model.method == "spher") {
    return OwnDistance{
        "spherical", [](CodeView query, const CodeMatrix& database, std::span<double> distances) {
          for (Index row = 0; row < database.rows(); ++row) {
            distances[static_cast<std::size_t>(row)] = spherical_hamming(query, database.row(row));
          }
        }};
  }
  if (model.method == "mdsh") {
    return OwnDistance{
        "product", [similarity = product_similarity(model)](
                       CodeView query, const CodeMatrix& database, std::span<double> distances) {
          for (Index row = 0; row < database.rows(); ++row) {
            distances[static_cast<std::size_t>(row)] = -similarity(query, database.row(row));
          }
        }};
  }
  return std::nullopt;
}

}  // namespace structhash
