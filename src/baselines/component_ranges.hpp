#pragma once

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Principal components and the range of the data on them, for SPH and MDSH.
namespace structhash {

/// Components along which the training rows differ, largest variance first.  The component c of x
/// is directions.row(c) . x + offsets(c).
struct ComponentRanges {
  Matrix<float> directions;
  Vector<float> offsets;
  Vector<float> low;     // below `low` lies a share `tail` of the training rows, and as many above
  Vector<float> high;    // `high`; low < high
  Matrix<float> values;  // components x rows: the components of the training rows, uncut

  Index size() const { return directions.rows(); }
};

/// At most `components` of them, without those of zero width (of constant columns, for instance).
///  Throws Errc::bad_data, naming the method, if all rows are equal.
ComponentRanges component_ranges(const MatrixView& x, Index components, double tail,
                                 const char* method, Threads threads);

}  // namespace structhash
