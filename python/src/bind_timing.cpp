#include <ctime>
#include <functional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/search/code_index.hpp"

/// Times of the C++ calls without Python, for benchmarks/python_overhead.py.
namespace structhash::python {
namespace {

using namespace nb::literals;

/// Processor time: other work on the machine does not count.
double seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
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
