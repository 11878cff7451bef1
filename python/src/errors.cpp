#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string_view>

#include "bindings.hpp"
#include "structhash/core/error.hpp"

namespace structhash::python {
namespace {

namespace nb = nanobind;

/// The reason at the end of a message, as an error number of the system; 0: none of these.
int error_number(std::string_view message) {
  constexpr std::array kNumbers{ENOENT, EACCES, EISDIR, ENOTDIR, ENOSPC};
  for (const int number : kNumbers) {
    if (message.ends_with(std::strerror(number))) {
      return number;
    }
  }
  return 0;
}

/// OSError with an error number is FileNotFoundError, PermissionError and so on.
void set_os_error(const char* message) {
  if (const int number = error_number(message); number != 0) {
    PyErr_SetObject(PyExc_OSError, nb::make_tuple(number, message).ptr());
  } else {
    PyErr_SetString(PyExc_OSError, message);
  }
}

/// The Python exception of an error code.
nb::object type_of(Errc code) {
  switch (code) {
    case Errc::usage:
    case Errc::bad_data:
      return nb::borrow(PyExc_ValueError);
    case Errc::corrupt_file:
      return nb::module_::import_("structhash.errors").attr("CorruptFileError");
    case Errc::solver_failure:
      return nb::module_::import_("structhash.errors").attr("SolverError");
    case Errc::interrupted:
      return nb::borrow(PyExc_KeyboardInterrupt);
    case Errc::io:  // set_os_error
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
    } catch (const DeviceError& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (const Error& error) {
      if (error.code() == Errc::io) {
        return set_os_error(error.what());
      }
      PyErr_SetString(type_of(error.code()).ptr(), error.what());
    }
  });
}

}  // namespace structhash::python
