#include <algorithm>

#include "arrays.hpp"
#include "judgments.hpp"
#include "structhash/core/error.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

Judgments from_arrays(Index items, const Values<std::int64_t>& starts,
                      const Values<std::int64_t>& columns, const Values<int>& grades) {
  const auto begin = view(starts);
  const auto entries = static_cast<std::int64_t>(columns.shape(0));
  require(!begin.empty() && begin.front() == 0 && begin.back() == entries &&
              std::ranges::is_sorted(begin) && grades.shape(0) == columns.shape(0),
          "the arrays of the relevance matrix have inconsistent lengths");
  Judgments judgments{.items = items, .queries = {}};
  for (std::size_t query = 0; query + 1 < begin.size(); ++query) {
    auto& row = judgments.queries.emplace_back();
    for (std::int64_t entry = begin[query]; entry < begin[query + 1]; ++entry) {
      row.push_back({.item = columns.data()[entry], .grade = grades.data()[entry]});
    }
  }
  check(judgments);
  return judgments;
}

}  // namespace

void bind_judgments(nb::module_& module) {
  nb::class_<Judgments>(module, "Judgments", "Grades of items by query")
      .def_static("from_arrays", &from_arrays, "items"_a, "starts"_a.noconvert(),
                  "columns"_a.noconvert(), "grades"_a.noconvert(),
                  nb::call_guard<nb::gil_scoped_release>())
      .def_ro("items", &Judgments::items)
      .def_prop_ro("queries", [](const Judgments& judgments) { return judgments.queries.size(); });
}

}  // namespace structhash::python
