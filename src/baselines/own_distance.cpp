#include "baselines/own_distance.hpp"

#include <bit>
#include <nlohmann/json.hpp>

#include "baselines/product_similarity.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kNoBallShared = 0.1;  // keeps the quotient finite

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
      bits.reserve(weights.size());
      for (std::size_t b = 0; b < weights.size(); ++b) {
        bits.push_back({levels[b], encoder->components[b], weights[b]});
      }
      return ProductSimilarity(bits);
    }
  } catch (const nlohmann::json::exception&) {  // NOLINT(bugprone-empty-catch): said below
  }
  fail(Errc::bad_data,
       "the parameters of this mdsh model do not name one weight and one level per bit; train it "
       "again, or compare its codes by Hamming distance");
}

QueryDistances between_spherical(const CodeMatrix& queries, const CodeMatrix& database) {
  return [&](Index query, std::span<double> distances) {
    for (Index row = 0; row < database.rows(); ++row) {
      distances[static_cast<std::size_t>(row)] =
          spherical_hamming(queries.row(query), database.row(row));
    }
  };
}

QueryDistances between_products(const ProductSimilarity& similarity, const CodeMatrix& queries,
                                const CodeMatrix& database) {
  if (!similarity.packable()) {
    return [similarity, &queries, &database](Index query, std::span<double> distances) {
      for (Index row = 0; row < database.rows(); ++row) {
        distances[static_cast<std::size_t>(row)] =
            -similarity(queries.row(query), database.row(row));
      }
    };
  }
  return [similarity, asked = similarity.pack(queries), stored = similarity.pack(database)](
             Index query, std::span<double> distances) {
    const auto width = static_cast<std::size_t>(similarity.bytes());
    const std::span ask = std::span(asked).subspan(static_cast<std::size_t>(query) * width, width);
    for (std::size_t row = 0; row < distances.size(); ++row) {
      distances[row] = -similarity.packed(ask, std::span(stored).subspan(row * width, width));
    }
  };
}

}  // namespace

double spherical_hamming(CodeView a, CodeView b) {
  Index differ = 0;
  Index both = 0;
  for (std::size_t word = 0; word < a.size(); ++word) {
    differ += std::popcount(a[word] ^ b[word]);
    both += std::popcount(a[word] & b[word]);
  }
  return to_double(differ) / (to_double(both) + kNoBallShared);
}

std::optional<OwnDistance> own_distance(const HashModel& model) {
  if (model.method == "spher") {
    return OwnDistance{"spherical", between_spherical};
  }
  if (model.method == "mdsh") {
    return OwnDistance{"product", [similarity = product_similarity(model)](
                                      const CodeMatrix& queries, const CodeMatrix& database) {
                         return between_products(similarity, queries, database);
                       }};
  }
  return std::nullopt;
}

}  // namespace structhash
