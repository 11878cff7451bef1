#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/codes/code_matrix.hpp"

/// MDSH's estimate of the affinity of two codes (docs/methods.md C.3).  With the bits as signs s, a
/// weight per bit, and `level` the number of a cut of the same function,
///
///   sum over levels of  [ product over components of (1 + sum over its bits of w s s') - 1 ]
namespace structhash {

class ProductSimilarity {
 public:
  struct Bit {
    int level = 0;
    int component = 0;
    double weight = 0.0;
  };
  explicit ProductSimilarity(std::span<const Bit> bits);

  /// Bit by bit, as the formula says.
  double operator()(CodeView a, CodeView b) const;

  /// The same by tables.  Whole components are packed into bytes; the contribution of a byte
  /// depends only on the bits in which two codes differ, so 256 products per byte suffice.
  /// A component of more than eight bits fits in no byte: then `packable()` is false.
  bool packable() const { return packable_; }
  Index bytes() const { return static_cast<Index>(bytes_.size()); }
  std::vector<std::uint8_t> pack(const CodeMatrix& codes) const;  // bytes() per code
  double packed(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) const;

 private:
  struct Member {
    Index bit;
    double weight;
  };
  using Factor = std::vector<Member>;          // the bits of one component
  std::vector<std::vector<Factor>> by_level_;  // the factors of one product

  struct Byte {
    std::vector<Index> bits;       // at most eight, of whole components of one level
    std::vector<double> products;  // by the bits that differ
    bool ends_level = false;
  };
  void pack_level(const std::vector<Factor>& factors);
  bool packable_ = true;
  std::vector<Byte> bytes_;
};

}  // namespace structhash
