#include <exception>

#include "bindings.hpp"
#include "structhash/core/error.hpp"

namespace structhash::python {
namespace {

namespace nb = nanobind;

/// The Python exception that stands for a code of ours.
nb::object type_of(Errc code) {
  switch (code) {
    case Errc::usage:
    case Errc::bad_data:
      return nb::borrow(PyExc_ValueError);
    case Errc::io:
      return nb::borrow(PyExc_OSError);
    case Errc::corrupt_file:
      return nb::module_::import_("structhash.errors").attr("CorruptFileError");
    case Errc::solver_failure:
      return nb::module_::import_("structhash.errors").attr("SolverError");
    case Errc::interrupted:
      return nb::borrow(PyExc_KeyboardInterrupt);
    case Errc::internal:
      break;
  }
  return nb::borrow(PyExc_RuntimeError);
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetString(type_of(error.code()).ptr(), error.what());
    }
  });
}

}  // namespace structhash::python
