#pragma once

#include <nanobind/nanobind.h>

#include "structhash/relevance/judgments.hpp"

namespace structhash::python {

/// The class Judgments: grades of items by query, made from the arrays of a compressed sparse row
/// matrix.
void bind_judgments(nanobind::module_& module);

}  // namespace structhash::python
