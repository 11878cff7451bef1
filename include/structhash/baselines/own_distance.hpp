#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/hashing/model.hpp"

/// Distances that the authors of a method made for its codes, beside Hamming distance.
namespace structhash {

struct OwnDistance {
  std::string name;
  /// Distance of the query to every code of the database; smaller is nearer.
  std::function<void(CodeView query, const CodeMatrix& database, std::span<double> distances)> fill;
};

/// Spherical Hamming distance for a model of spher, minus the product similarity for one of mdsh,
/// nothing for any other.  Throws Errc::bad_data if the parameters of the model do not fit its
/// bits.
std::optional<OwnDistance> own_distance(const HashModel& model);

/// |a xor b| / (|a and b| + 0.1): balls that both codes lie in bring them near (docs/methods.md
/// C.5).
double spherical_hamming(CodeView a, CodeView b);

/// MDSH's estimate of the affinity of two codes (docs/methods.md C.3).  With the bits as signs s, a
/// weight per bit, and `level` telling apart cuts of the same function,
///
///   sum over levels of  [ product over components of (1 + sum over its bits of w s s') - 1 ]
class ProductSimilarity {
 public:
  struct Bit {
    int level = 0;
    int component = 0;
    double weight = 0.0;
  };
  explicit ProductSimilarity(std::span<const Bit> bits);
  double operator()(CodeView a, CodeView b) const;

 private:
  struct Member {
    Index bit;
    double weight;
  };
  using Factor = std::vector<Member>;          // the bits of one component
  std::vector<std::vector<Factor>> by_level_;  // the factors of one product
};

}  // namespace structhash
