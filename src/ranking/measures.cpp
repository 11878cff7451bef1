#include "structhash/ranking/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <vector>

#include "core/suggest.hpp"
#include "ranking/discount.hpp"
#include "ranking/expected.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

// NOLINTBEGIN(modernize-use-designated-initializers): a table reads better without column names
constexpr std::array kMeasures{
    MeasureEntry{"ndcg",
                 "discounted gain of the top K, discount 1/log2(1 + rank) as in trec_eval and "
                 "scikit-learn",
                 CutOff::rank, training::ndcg, expected::ndcg, discount_standard},
    MeasureEntry{"ndcg-paper",
                 "discounted gain of the top K with the discount of the StructHash paper (Eq. 21): "
                 "1, 1, 1/log2(3), ...",
                 CutOff::rank, training::ndcg_paper, expected::ndcg_paper, discount_paper},
    MeasureEntry{"ndcg-simple", "discounted gain by the rank among irrelevant items only",
                 CutOff::none, training::ndcg_simple, expected::ndcg_simple},
    MeasureEntry{"precision", "relevant share of the top K", CutOff::rank, training::precision,
                 expected::precision},
    MeasureEntry{"recall", "share of all relevant items that are in the top K", CutOff::rank,
                 training::recall, expected::recall},
    MeasureEntry{"map", "average precision over all relevant items; map@K stops at rank K",
                 CutOff::optional, training::average_precision, expected::average_precision},
    MeasureEntry{"map-retrieved",
                 "average precision of the top K over the relevant items found there only; "
                 "inflated, to compare with papers",
                 CutOff::rank, nullptr, expected::average_precision_retrieved},
    MeasureEntry{"mrr", "one over the rank of the first relevant item", CutOff::none,
                 training::reciprocal_rank, expected::reciprocal_rank},
    MeasureEntry{"auc", "share of (relevant, irrelevant) pairs in the right order", CutOff::none,
                 training::auc, expected::auc},
    MeasureEntry{"pr-auc", "area under the precision-recall curve over all cut-offs", CutOff::none,
                 nullptr, expected::precision_recall_area},
    MeasureEntry{"precision-radius",
                 "relevant share of the items within a Hamming radius; 0 if there are none",
                 CutOff::radius, nullptr, expected::precision_in_radius},
};
// NOLINTEND(modernize-use-designated-initializers)

const MeasureEntry& find_measure(std::string_view name) {
  const auto* entry = std::ranges::find(kMeasures, name, &MeasureEntry::name);
  if (entry == kMeasures.end()) {
    std::vector<std::string_view> known(kMeasures.size());
    std::ranges::transform(kMeasures, known.begin(), &MeasureEntry::name);
    fail(Errc::usage, unknown_name("measure", name, known));
  }
  return *entry;
}

/// What is written after the @.
struct CutOffKind {
  std::string_view name;
  Index min;
  Index example;
};

CutOffKind kind_of(CutOff cutoff) {
  return cutoff == CutOff::radius ? CutOffKind{"radius", 0, 2} : CutOffKind{"cut-off", 1, 100};
}

Index parse_cutoff(std::string_view text, std::string_view digits, CutOffKind kind) {
  // Far above any list, and small enough that cut-off + list size cannot overflow.
  constexpr Index kMax = 1'000'000'000;
  Index value = 0;
  const char* end = std::to_address(digits.end());
  const auto [stop, status] = std::from_chars(std::to_address(digits.begin()), end, value);
  require(status == std::errc{} && stop == end && value >= kind.min && value <= kMax,
          fmt::format("measure '{}': the {} after @ must be a whole number from {} to {}, got '{}'",
                      text, kind.name, kind.min, fmt::group_digits(kMax), digits));
  return value;
}

}  // namespace

std::span<const MeasureEntry> measures() {
  return kMeasures;
}

std::string spelling(const MeasureEntry& entry) {
  constexpr std::array<std::string_view, 4> kSuffixes{"", "[@K]", "@K", "@R"};  // as in CutOff
  return fmt::format("{}{}", entry.name, kSuffixes[static_cast<std::size_t>(entry.cutoff)]);
}

std::string training_spelling(const MeasureEntry& entry) {
  return entry.cutoff == CutOff::optional ? std::string(entry.name) : spelling(entry);
}

std::string NamedMeasure::name() const {
  const bool plain =
      entry->cutoff == CutOff::none || (entry->cutoff == CutOff::optional && cutoff == 0);
  return plain ? std::string(entry->name) : fmt::format("{}@{}", entry->name, cutoff);
}

NamedMeasure parse_measure(std::string_view text) {
  const std::size_t at = text.find('@');
  const MeasureEntry& entry = find_measure(text.substr(0, at));
  const CutOffKind kind = kind_of(entry.cutoff);
  if (at != std::string_view::npos) {
    require(entry.cutoff != CutOff::none, fmt::format("measure '{}': {} takes no cut-off; write {}",
                                                      text, entry.name, entry.name));
    return {.entry = &entry, .cutoff = parse_cutoff(text, text.substr(at + 1), kind)};
  }
  require(entry.cutoff == CutOff::none || entry.cutoff == CutOff::optional,
          fmt::format("measure '{}' needs a {}, for example {}@{}", text, kind.name, entry.name,
                      kind.example));
  return {.entry = &entry, .cutoff = 0};
}

}  // namespace structhash
