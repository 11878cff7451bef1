#include <exception>

#include "bindings.hpp"
#include "structhash/core/error.hpp"

namespace structhash::python {
namespace {

namespace nb = nanobind;

struct ErrorTypes {
  PyObject* corrupt_file;
  PyObject* solver;
};

PyObject* type_of(Errc code, const ErrorTypes& types) {
  switch (code) {
    case Errc::usage:
    case Errc::bad_data:
      return PyExc_ValueError;
    case Errc::io:
      return PyExc_OSError;
    case Errc::corrupt_file:
      return types.corrupt_file;
    case Errc::solver_failure:
      return types.solver;
    case Errc::interrupted:
      return PyExc_KeyboardInterrupt;
    case Errc::internal:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void bind_errors(nb::module_& module) {
  const auto make = [&](const char* name, PyObject* base, const char* doc) {
    const std::string full_name = std::string("structhash.") + name;
    const nb::object type =
        nb::steal(PyErr_NewExceptionWithDoc(full_name.c_str(), doc, base, nullptr));
    module.attr(name) = type;
    return type.ptr();  // the module keeps it alive
  };
  static const ErrorTypes types{
      .corrupt_file = make("CorruptFileError", PyExc_ValueError,
                           "A file is damaged, of another kind, or of a newer version."),
      .solver = make("SolverError", PyExc_RuntimeError,
                     "The linear programme of training could not be solved.")};
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetString(type_of(error.code(), types), error.what());
    }
  });
}

}  // namespace structhash::python
