#include "bindings.hpp"

NB_MODULE(_core, module) {
  using namespace structhash::python;
  module.doc() = "The C++ library behind the package structhash.";
  bind_errors(module);
  bind_sparse(module);
  bind_model(module);
  bind_training(module);
  bind_index(module);
  bind_evaluation(module);
  bind_report(module);
  bind_timing(module);
}
