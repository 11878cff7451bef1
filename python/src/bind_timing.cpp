#include <chrono>
#include <functional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/search/code_index.hpp"

/// What the bare C++ calls take, in the same process: benchmarks/python_overhead.py compares the
/// package with it.
namespace structhash::python {
namespace {

using namespace nb::literals;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double time_encode(const HashModel& model, const Rows<float>& x, int threads) {
  return seconds([&] { encode(model, view(x), resolve_threads(threads)); });
}

double time_search(const CodeIndex& index, const Rows<std::uint8_t>& codes, Index k, int threads) {
  const CodeMatrix queries = PackedCodes(codes, index.bits()).matrix();
  return seconds([&] { index.nearest(queries, k, {.threads = resolve_threads(threads)}); });
}

}  // namespace

void bind_timing(nb::module_& module) {
  module.def("_time_encode", &time_encode, "model"_a, "x"_a.noconvert(), "threads"_a,
             nb::call_guard<nb::gil_scoped_release>());
  module.def("_time_search", &time_search, "index"_a, "codes"_a.noconvert(), "k"_a, "threads"_a,
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace structhash::python
