#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "blocks.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/version.hpp"
#include "structhash/hashing/model_io.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

constexpr Index kFirstRows = 4096;

NumpyArray<std::uint8_t> encode_rows(const HashModel& model, const Rows<float>& x, int threads) {
  const auto width = static_cast<std::size_t>(bytes_per_code(model.bits()));
  std::vector<std::uint8_t> bytes;
  {
    const nb::gil_scoped_release unlocked;
    bytes.resize(x.shape(0) * width);
    const int thread_count = resolve_threads(threads);
    const auto all = view(x);
    for_each_block(all.rows(), kFirstRows, [&](Index first, Index count) {
      write_bytes(encode(model, all.middleRows(first, count), thread_count),
                  bytes.data() + static_cast<std::size_t>(first) * width);
    });
  }
  return to_numpy<std::uint8_t>(std::move(bytes), {x.shape(0), width});
}

/// values_of(rows, threads) gives one row of numbers per row, one column per bit.
template <typename Values>
NumpyArray<float> rows_of_values(const HashModel& model, const Rows<float>& x, int threads,
                                 const Values& values_of) {
  Matrix<float> values;
  {
    const nb::gil_scoped_release unlocked;
    const int thread_count = resolve_threads(threads);
    const auto all = view(x);
    values.resize(all.rows(), model.bits());
    for_each_block(all.rows(), kFirstRows, [&](Index first, Index count) {
      const MatrixView rows = all.middleRows(first, count);
      require_finite(rows, "features", thread_count);
      values.middleRows(first, count) = values_of(rows, thread_count);
    });
  }
  return to_numpy<float>(std::move(values), {x.shape(0), static_cast<std::size_t>(model.bits())});
}

NumpyArray<float> decision_rows(const HashModel& model, const Rows<float>& x, int threads) {
  return rows_of_values(model, x, threads, [&](const MatrixView& rows, int thread_count) {
    return decision_values(model.encoder, rows, thread_count);
  });
}

NumpyArray<float> adaptive_rows(const HashModel& model, const Rows<float>& x, int threads) {
  require_adaptive(model);
  return rows_of_values(model, x, threads, [&](const MatrixView& rows, int thread_count) {
    return adaptive_values(model, rows, thread_count);
  });
}

std::optional<NumpyArray<float>> bit_weights(const HashModel& model) {
  if (model.bit_weights.empty()) {
    return std::nullopt;
  }
  return to_numpy<float>(model.bit_weights, {model.bit_weights.size()});
}

/// The matrices of linear and kernel encoders; None for other kinds.
struct EncoderParts {
  const Matrix<float>* directions = nullptr;
  const Vector<float>* offsets = nullptr;
  const Matrix<float>* anchors = nullptr;
  std::optional<float> gamma;
};

EncoderParts parts_of(const HashModel& model) {
  if (const auto* linear = std::get_if<LinearEncoder>(&model.encoder)) {
    return {&linear->directions, &linear->offsets, nullptr, std::nullopt};
  }
  if (const auto* kernel = std::get_if<KernelEncoder>(&model.encoder)) {
    return {&kernel->directions, &kernel->offsets, &kernel->anchors, kernel->gamma};
  }
  if (const auto* graph = std::get_if<AnchorGraphEncoder>(&model.encoder)) {
    return {nullptr, nullptr, &graph->anchors, graph->gamma};
  }
  return {};
}

std::optional<NumpyArray<float>> copy_of(const Matrix<float>* matrix) {
  if (matrix == nullptr) {
    return std::nullopt;
  }
  return to_numpy<float>(*matrix, {static_cast<std::size_t>(matrix->rows()),
                                   static_cast<std::size_t>(matrix->cols())});
}

std::optional<NumpyArray<float>> copy_of(const Vector<float>* vector) {
  if (vector == nullptr) {
    return std::nullopt;
  }
  return to_numpy<float>(*vector, {static_cast<std::size_t>(vector->size())});
}

/// Packed codes of a code file, their number of bits, and the identity of their model.
nb::tuple codes_of_file(const std::string& path) {
  std::vector<std::uint8_t> bytes;
  CodeMatrix codes;
  std::string model;
  {
    const nb::gil_scoped_release unlocked;
    const MappedCodes file(path);
    model = file.model();
    codes = CodeMatrix(file.rows(), file.bits(), {file.words().begin(), file.words().end()});
    bytes.resize(static_cast<std::size_t>(codes.rows() * bytes_per_code(codes.bits())));
    write_bytes(codes, bytes.data());
  }
  const auto rows = static_cast<std::size_t>(codes.rows());
  const auto width = static_cast<std::size_t>(bytes_per_code(codes.bits()));
  return nb::make_tuple(to_numpy<std::uint8_t>(std::move(bytes), {rows, width}), codes.bits(),
                        model);
}

void bind_encoder(nb::class_<HashModel>& bound) {
  bound
      .def_prop_ro(
          "directions", [](const HashModel& model) { return copy_of(parts_of(model).directions); },
          nb::rv_policy::automatic,
          "Linear: bits x dimension; kernel: bits x anchors; None for other functions")
      .def_prop_ro(
          "offsets", [](const HashModel& model) { return copy_of(parts_of(model).offsets); },
          nb::rv_policy::automatic, "One per bit; None unless linear or kernel")
      .def_prop_ro(
          "anchors", [](const HashModel& model) { return copy_of(parts_of(model).anchors); },
          nb::rv_policy::automatic, "Anchors x dimension; None for functions without anchors")
      .def_prop_ro(
          "gamma", [](const HashModel& model) { return parts_of(model).gamma; },
          "Of the response exp(-gamma ||x - anchor||^2); None for functions without anchors");
}

}  // namespace

void bind_model(nb::module_& module) {
  module.attr("code_version") = nb::str(code_version().data(), code_version().size());
  nb::class_<HashModel> bound(module, "Model", "A trained model: an immutable value.");
  bound.def_static("load", &load_model, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "save", [](const HashModel& model, const std::string& path) { save_model(model, path); },
          "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_ro("method", &HashModel::method)
      .def_ro("parameters", &HashModel::parameters, "JSON: what the model was trained with")
      .def(
          "with_parameters",
          [](HashModel model, const std::string& json) {
            model.parameters = nlohmann::json::parse(json).dump();
            return model;
          },
          "json"_a, "A copy with other parameters")
      .def(
          "with_projection",
          [](HashModel model, const SparseProjection& projection) {
            model.projection = projection;
            check(model);
            return model;
          },
          "projection"_a, "A copy that takes sparse features")
      .def_prop_ro(
          "projection",
          [](const HashModel& model) {
            return model.projection.empty() ? nullptr : &model.projection;
          },
          nb::rv_policy::reference_internal, nb::sig("def projection(self) -> Projection | None"),
          "Of sparse features; None: the model takes dense ones")
      .def_prop_ro(
          "dense",
          [](HashModel model) {
            model.projection = {};
            return model;
          },
          nb::sig("def dense(self) -> Model"), "A copy that takes projected features")
      .def_prop_ro(
          "two_encoders", [](const HashModel& model) { return model.query_encoder.has_value(); },
          "True if queries have an encoder of their own")
      .def_prop_ro("of_queries", &query_model, nb::sig("def of_queries(self) -> Model"),
                   "The model that encodes queries as this one encodes items; its equal unless "
                   "queries have an encoder of their own")
      .def("truncate", &structhash::truncate, "bits"_a,
           "Nested codes: the model whose codes are the first bits of this one's")
      .def_prop_ro("functions",
                   [](const HashModel& model) { return std::string(encoder_name(model.encoder)); })
      .def_prop_ro("bits", &HashModel::bits)
      .def_prop_ro("dimension", &HashModel::dimension)
      .def_prop_ro("bit_weights", &bit_weights, nb::rv_policy::automatic,
                   "float32, one per bit; None: plain Hamming")
      .def(
          "__eq__", [](const HashModel& a, const HashModel& b) { return a == b; },
          nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("encode", &encode_rows, "x"_a.noconvert(), "threads"_a = 1,
           "Packed codes, least significant bit first")
      .def("decision_values", &decision_rows, "x"_a.noconvert(), "threads"_a = 1,
           "The values behind the bits: a bit is 1 where its value is above 0")
      .def_prop_ro(
          "adaptive", [](const HashModel& model) { return !model.mean_magnitudes.empty(); },
          "True if the model has the adaptive distance")
      .def("adaptive_values", &adaptive_rows, "x"_a.noconvert(), "threads"_a = 1,
           "Queries of the adaptive distance: a bit that differs from the sign of its value costs "
           "the size of the value");
  bind_encoder(bound);
  module.def(
      "codes_of_file", &codes_of_file, "path"_a,
      "Packed codes of a code file, their bits, the identity of their model (\"\": unknown)");
  module.def(
      "file_identity", [](const std::string& path) { return Container(path).identity(); }, "path"_a,
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace structhash::python
