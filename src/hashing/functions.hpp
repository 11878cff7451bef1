#pragma once

#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

/// The kinds of hash functions.
namespace structhash {

enum class Functions { linear, kernel, stump, tree };

/// One name of a closed set of values.
template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

inline constexpr std::array kFunctionNames{
    Named{"linear", Functions::linear}, Named{"kernel", Functions::kernel},
    Named{"stump", Functions::stump}, Named{"tree", Functions::tree}};

constexpr std::string_view name_of(Functions functions) {
  return kFunctionNames[static_cast<std::size_t>(functions)].name;
}

/// Some of the kinds.
class FunctionSet {
 public:
  constexpr FunctionSet(std::initializer_list<Functions> members) {
    for (const Functions member : members) {
      bits_ |= 1U << static_cast<unsigned>(member);
    }
  }
  constexpr bool contains(Functions functions) const {
    return (bits_ >> static_cast<unsigned>(functions) & 1U) != 0;
  }
  constexpr bool operator==(const FunctionSet&) const = default;

 private:
  unsigned bits_ = 0;
};

std::vector<std::string_view> names_of(const FunctionSet& functions);

inline constexpr FunctionSet kAllFunctions{Functions::linear, Functions::kernel, Functions::stump,
                                           Functions::tree};
inline constexpr FunctionSet kSmoothFunctions{Functions::linear, Functions::kernel};
inline constexpr FunctionSet kLinearFunctions{Functions::linear};
inline constexpr FunctionSet kKernelFunctions{Functions::kernel};
inline constexpr FunctionSet kTreeFunctions{Functions::tree};

}  // namespace structhash
