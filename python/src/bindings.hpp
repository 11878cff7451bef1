#pragma once

#include <nanobind/nanobind.h>

/// One function per file of bindings; module.cpp calls them.  Bindings hold no logic: they check
/// shapes, release the GIL and call the library.
namespace structhash::python {

void bind_errors(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_sparse(nanobind::module_& module);
void bind_training(nanobind::module_& module);
void bind_index(nanobind::module_& module);
void bind_evaluation(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_timing(nanobind::module_& module);

}  // namespace structhash::python
