#include "arrays.hpp"
#include "bindings.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/data/sparse_rows.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

SparseRows make_sparse_rows(const Values<std::int64_t>& starts, const Values<std::int32_t>& columns,
                            const Values<float>& values, Index dimension) {
  SparseRows x{.dimension = dimension,
               .starts = {view(starts).begin(), view(starts).end()},
               .columns = {view(columns).begin(), view(columns).end()},
               .values = {view(values).begin(), view(values).end()}};
  check(x);
  return x;
}

NumpyArray<float> projected_rows(const SparseProjection& projection, const SparseRows& x,
                                 int threads) {
  Matrix<float> rows;
  {
    const nb::gil_scoped_release unlocked;
    rows = project(projection, x, resolve_threads(threads));
  }
  const auto count = static_cast<std::size_t>(rows.rows());
  return to_numpy<float>(std::move(rows), {count, static_cast<std::size_t>(projection.outputs())});
}

}  // namespace

void bind_sparse(nb::module_& module) {
  nb::class_<SparseRows>(module, "SparseRows", "Rows of features that are mostly zero.")
      .def_static("of", &make_sparse_rows, "starts"_a.noconvert(), "columns"_a.noconvert(),
                  "values"_a.noconvert(), "dimension"_a, "The arrays of a scipy CSR matrix")
      .def_prop_ro("rows", &SparseRows::rows);
  nb::class_<SparseProjection>(module, "Projection", "Linear map of sparse features to dense ones.")
      .def_static(
          "fit",
          [](const SparseRows& x, Index components, std::uint64_t seed, int threads) {
            return fit_projection(x, components, Seed{seed}, resolve_threads(threads));
          },
          "x"_a, "components"_a, "seed"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("outputs", &SparseProjection::outputs)
      .def("project", &projected_rows, "x"_a, "threads"_a);
}

}  // namespace structhash::python
