#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// The table of methods (docs/adr/0006): one entry per method, nothing registers itself.
namespace structhash {

/// What codes are compared by; adaptive: queries are vectors (hashing/model.hpp).
enum class Distance { hamming, weighted, adaptive };

/// What the memory of a training depends on.
struct TrainingSize {
  double rows = 0.0;        // n
  double dimension = 0.0;   // d
  double anchors = 0.0;     // a, of kernel functions and anchor graphs; at most n; 0: none
  double list_items = 0.0;  // relevant and irrelevant ones per query
  bool trials = false;      // of other parameters, before the training itself
  int threads = 1;
};

/// Bytes that training needs beside its training set:
///
///   value n d  +  row n  +  response n a  +  covariance min(n, d)^2  +  pair n^2
///
/// and d (24 n + 4,000) where linear functions have more features than rows; fitted to measured
/// peaks and rounded up; or a formula of the method's own.
struct TrainingMemory {
  double value = 0.0;
  double row = 0.0;
  double response = 0.0;
  double covariance = 0.0;
  double pair = 0.0;
  double auto_anchors = 300.0;  // anchors where the option is auto
  double (*formula)(const TrainingSize& size) = nullptr;

  double bytes(const TrainingSize& size) const;
};

/// What a method is, can do and needs.
struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view reference;
  Supervision supervision = Supervision::none;
  bool multi_labels = false;  // can learn from several labels per row
  Distance distance = Distance::hamming;
  bool adaptive = false;  // models of linear and kernel functions have the adaptive distance
  std::string_view own_distance{};  // the authors' own, beside Hamming distance (own_distance.hpp)
  bool checkpoints = false;         // FitContext::checkpoint resumes an interrupted training
  bool nested = false;              // the first bits of a model are a shorter one (truncate)
  std::span<const std::string_view> shard_functions{};  // hash functions that can train on shards
  TrainingMemory memory{};
  std::vector<OptionInfo> (*options)() = nullptr;
  std::unique_ptr<Hasher> (*make_named)(std::string_view name,
                                        const MethodOptions& options) = nullptr;

  /// Throws Errc::usage for an option that the method does not have, or a value it does not allow.
  std::unique_ptr<Hasher> make(const MethodOptions& given) const { return make_named(name, given); }
};

/// Every method; StructHash first.
std::span<const MethodEntry> methods();

/// Throws Errc::usage with the known names if there is no such method.
const MethodEntry& find_method(std::string_view name);

/// Nested codes: the model of the first `bits` bits, whose codes are the first bits of those of
/// `model`.  Bit weights, if it has any, become equal: weights learned for all bits together rank
/// worse than none (docs/adr/0030).  `truncated_from` in its parameters is the number of bits it
/// had.
/// Throws Errc::usage unless 1 <= bits <= model.bits(), and for methods whose bits depend on their
/// number: the first of them rank worse than a model trained for so many (MethodEntry::nested).
HashModel truncate(const HashModel& model, Index bits);

/// The value of an option as text: the given one, else the default.  Empty if the method has no
/// such option, or if the chosen hash functions do not use it.
std::string option_value(const MethodEntry& method, const MethodOptions& given,
                         std::string_view name);

}  // namespace structhash
