#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "blocks.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

/// Queries in the first block of a search: about a billion word comparisons.
Index first_block(const CodeIndex& index) {
  constexpr Index kWords = Index{1} << 30U;
  constexpr Index kGpuBatch = 1024;
  const Index words = std::max<Index>(1, index.size() * ((index.bits() + 63) / 64));
  return std::max<Index>(index.device() == "cpu" ? 256 : kGpuBatch, kWords / words);
}

struct SearchCall {
  int threads;
  std::string engine;
  const IdFilter* only;

  IndexSearchOptions options() const {
    return {.threads = resolve_threads(threads), .engine = parse_engine(engine), .only = only};
  }
};

/// Answers of all queries as tables with k columns, padded at the end of a row.
template <typename Distance>
struct AnswerTable {
  static constexpr Distance kPadding = std::numeric_limits<Distance>::has_infinity
                                           ? std::numeric_limits<Distance>::infinity()
                                           : std::numeric_limits<Distance>::max();
  Index k;
  std::vector<Distance> distances;
  std::vector<std::int64_t> ids;

  AnswerTable(Index queries, Index columns)
      : k(columns),
        distances(static_cast<std::size_t>(queries * columns)),
        ids(static_cast<std::size_t>(queries * columns)) {}

  void write(Index first_query, const SearchResult& found) {
    for (Index query = 0; query < found.queries(); ++query) {
      const auto begin = found.starts[static_cast<std::size_t>(query)];
      const auto count = found.starts[static_cast<std::size_t>(query) + 1] - begin;
      const auto out = (first_query + query) * k;
      std::transform(found.distances.begin() + begin, found.distances.begin() + begin + count,
                     distances.begin() + out,
                     [](float distance) { return static_cast<Distance>(distance); });
      std::copy_n(found.ids.begin() + begin, count, ids.begin() + out);
      std::fill_n(distances.begin() + out + count, k - count, kPadding);
      std::fill_n(ids.begin() + out + count, k - count, std::int64_t{-1});
    }
  }

  nb::tuple to_tuple(Index queries) && {
    const auto rows = static_cast<std::size_t>(queries);
    const auto columns = static_cast<std::size_t>(k);
    return nb::make_tuple(to_numpy<Distance>(std::move(distances), {rows, columns}),
                          to_numpy<std::int64_t>(std::move(ids), {rows, columns}));
  }
};

void check_columns(Index k, Index size) {
  constexpr Index kMaxEmpty = 1'000'000;
  require(k >= 1, "k must be 1 or more, got " + std::to_string(k));
  require(k <= std::max(size, kMaxEmpty), "k is " + std::to_string(k) + ", but there are only " +
                                              std::to_string(size) + " codes; use a smaller k");
}

/// search_block(first, count) gives the SearchResult of some queries.
template <typename Distance, typename SearchBlock>
nb::tuple search_table(const CodeIndex& index, Index queries, Index k,
                       const SearchBlock& search_block) {
  std::optional<AnswerTable<Distance>> table;
  {
    const nb::gil_scoped_release unlocked;
    check_columns(k, index.size());
    table.emplace(queries, k);
    for_each_block(queries, first_block(index), [&](Index first, Index count) {
      table->write(first, search_block(first, count));
    });
  }
  return std::move(*table).to_tuple(queries);
}

nb::tuple search(const CodeIndex& index, const Rows<std::uint8_t>& codes, Index k,
                 const SearchCall& call) {
  const PackedCodes packed(codes, index.bits());
  const auto block = [&](Index first, Index count) {
    return index.nearest(packed.part(first, count), k, call.options());
  };
  const auto queries = static_cast<Index>(codes.shape(0));
  return index.settings().bit_weights.empty() ? search_table<std::int32_t>(index, queries, k, block)
                                              : search_table<float>(index, queries, k, block);
}

nb::tuple search_values(const CodeIndex& index, const Rows<float>& values, Index k, bool adaptive,
                        const SearchCall& call) {
  const auto all = view(values);
  return search_table<float>(index, all.rows(), k, [&](Index first, Index count) {
    const auto rows = all.middleRows(first, count);
    return adaptive ? index.nearest_adaptive(rows, k, call.options())
                    : index.nearest_asymmetric(rows, k, call.options());
  });
}

nb::tuple range_search(const CodeIndex& index, const Rows<std::uint8_t>& codes, float radius,
                       const SearchCall& call) {
  const PackedCodes packed(codes, index.bits());
  std::vector<std::int64_t> starts{0};
  std::vector<float> distances;
  std::vector<std::int64_t> ids;
  {
    const nb::gil_scoped_release unlocked;
    for_each_block(packed.span().rows, first_block(index), [&](Index first, Index count) {
      const SearchResult found = index.within(packed.part(first, count), radius, call.options());
      const std::int64_t before = std::ssize(ids);
      for (Index query = 1; query <= found.queries(); ++query) {
        starts.push_back(before + found.starts[static_cast<std::size_t>(query)]);
      }
      distances.insert(distances.end(), found.distances.begin(), found.distances.end());
      ids.insert(ids.end(), found.ids.begin(), found.ids.end());
    });
  }
  const std::size_t lists = starts.size();
  const std::size_t answers = ids.size();
  return nb::make_tuple(to_numpy<std::int64_t>(std::move(starts), {lists}),
                        to_numpy<float>(std::move(distances), {answers}),
                        to_numpy<std::int64_t>(std::move(ids), {answers}));
}

NumpyArray<std::uint8_t> reconstruct(const CodeIndex& index, const Values<std::int64_t>& ids) {
  const auto width = static_cast<std::size_t>(bytes_per_code(index.bits()));
  std::vector<std::uint8_t> bytes(ids.shape(0) * width);
  write_bytes(index.reconstruct(view(ids)), bytes.data());
  return to_numpy<std::uint8_t>(std::move(bytes), {ids.shape(0), width});
}

std::optional<NumpyArray<float>> index_weights(const CodeIndex& index) {
  const std::vector<float>& weights = index.settings().bit_weights;
  if (weights.empty()) {
    return std::nullopt;
  }
  return to_numpy<float>(weights, {weights.size()});
}

void bind_changes(nb::class_<CodeIndex>& index) {
  index
      .def(
          "add",
          [](CodeIndex& self, const Rows<std::uint8_t>& codes,
             const std::optional<Values<std::int64_t>>& ids) {
            const nb::gil_scoped_release unlocked;
            const PackedCodes packed(codes, self.bits());
            ids ? self.add(packed.span(), view(*ids)) : self.add(packed.span());
          },
          "codes"_a.noconvert(), "ids"_a.noconvert().none())
      .def(
          "remove",
          [](CodeIndex& self, const Values<std::int64_t>& ids) { self.remove(view(ids)); },
          "ids"_a.noconvert(), nb::call_guard<nb::gil_scoped_release>())
      .def(
          "use_device", [](CodeIndex& self, const std::string& device) { self.use_device(device); },
          "device"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("device", [](const CodeIndex& self) { return self.device(); })
      .def("merge", &CodeIndex::merge, "other"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "prepare", [](CodeIndex& self, int threads) { self.prepare(resolve_threads(threads)); },
          "threads"_a, nb::call_guard<nb::gil_scoped_release>());
}

void bind_searches(nb::class_<CodeIndex>& index) {
  index
      .def(
          "search",
          [](const CodeIndex& self, const Rows<std::uint8_t>& codes, Index k, int threads,
             std::string engine, const IdFilter* only) {
            return search(self, codes, k, {threads, std::move(engine), only});
          },
          "codes"_a.noconvert(), "k"_a, "threads"_a, "engine"_a, "only"_a.none())
      .def(
          "search_values",
          [](const CodeIndex& self, const Rows<float>& values, Index k, int threads,
             std::string engine, const IdFilter* only, bool adaptive) {
            return search_values(self, values, k, adaptive, {threads, std::move(engine), only});
          },
          "values"_a.noconvert(), "k"_a, "threads"_a, "engine"_a, "only"_a.none(), "adaptive"_a)
      .def(
          "range_search",
          [](const CodeIndex& self, const Rows<std::uint8_t>& codes, float radius, int threads,
             std::string engine, const IdFilter* only) {
            return range_search(self, codes, radius, {threads, std::move(engine), only});
          },
          "codes"_a.noconvert(), "radius"_a, "threads"_a, "engine"_a, "only"_a.none());
}

}  // namespace

void bind_index(nb::module_& module) {
  nb::class_<IdFilter>(module, "IdFilter", "A set of ids, valid until its index changes");
  nb::class_<CodeIndex> index(module, "CodeIndex", "An index of codes with ids for exact search");
  index
      .def(nb::new_([](Index bits, const std::optional<Values<float>>& weights, std::string model) {
             IndexSettings settings{.bits = bits, .bit_weights = {}, .model = std::move(model)};
             if (weights) {
               settings.bit_weights.assign(view(*weights).begin(), view(*weights).end());
             }
             return CodeIndex(std::move(settings));
           }),
           "bits"_a, "weights"_a.noconvert().none(), "model"_a = "")
      .def_static(
          "load",
          [](const std::string& path, bool verify) {
            return CodeIndex::load(path, verify ? Verify::everything : Verify::all_but_large);
          },
          "path"_a, "verify"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("save", &CodeIndex::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &CodeIndex::size)
      .def_prop_ro("bits", &CodeIndex::bits)
      .def_prop_ro("weights", &index_weights, nb::rv_policy::automatic)
      .def_prop_ro("model", [](const CodeIndex& self) { return self.settings().model; })
      .def_prop_ro("bytes", &CodeIndex::bytes)
      .def_prop_ro("prepared", &CodeIndex::prepared)
      .def("__contains__", &CodeIndex::contains, "id"_a)
      .def("ids",
           [](const CodeIndex& self) {
             std::vector<std::int64_t> ids = self.ids();
             const std::size_t count = ids.size();
             return to_numpy<std::int64_t>(std::move(ids), {count});
           })
      .def("reconstruct", &reconstruct, "ids"_a.noconvert())
      .def(
          "filter",
          [](const CodeIndex& self, const Values<std::int64_t>& ids) {
            return self.filter(view(ids));
          },
          "ids"_a.noconvert(), nb::call_guard<nb::gil_scoped_release>());
  bind_changes(index);
  bind_searches(index);
}

}  // namespace structhash::python
