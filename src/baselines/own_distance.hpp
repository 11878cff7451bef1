#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/hashing/model.hpp"

/// Distances that the authors of a method define for its codes, beside Hamming distance.
namespace structhash {

/// Distances of one query, by its row, to every code of the database; smaller is nearer.
using QueryDistances = std::function<void(Index query, std::span<double> distances)>;

struct OwnDistance {
  std::string name;
  /// Prepares the codes, which must outlive the result; the result may be called from any thread.
  std::function<QueryDistances(const CodeMatrix& queries, const CodeMatrix& database)> between;
};

/// Spherical Hamming distance for a model of spher, minus the product similarity for one of mdsh,
/// nothing for any other.  Throws Errc::bad_data if the parameters of the model do not fit its
/// bits.
std::optional<OwnDistance> own_distance(const HashModel& model);

/// |a xor b| / (|a and b| + 0.1): codes inside the same balls are near (docs/methods.md C.5).
double spherical_hamming(CodeView a, CodeView b);

}  // namespace structhash
