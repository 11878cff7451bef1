#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/formats.hpp"
#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash {
namespace {

/// libsvm files, one after the other.
class SparseChain {
 public:
  SparseChain(std::span<const std::string> files, const TableOptions& options, Index dimension) {
    require(!files.empty(), "no input file was given");
    for (const std::string& path : files) {
      readers_.push_back(data::open_table(path, options));
      const data::TableShape& shape = readers_.back()->shape();
      if (!shape.is_sparse) {
        fail(Errc::bad_data, path +
                                 ": sparse features are read from libsvm files; write this table "
                                 "as libsvm, or train on dense features");
      }
      if (dimension > 0 && shape.columns > dimension) {
        fail(Errc::bad_data,
             fmt::format("{}: has {} columns, expected {}", path, shape.columns, dimension));
      }
      widest_ = std::max(widest_, shape.columns);
      rows_ += shape.rows;
    }
  }

  Index rows() const { return rows_; }
  Index widest() const { return widest_; }

  /// The next rows, at most `count`.
  SparseRows read(Index count, Index dimension) {
    SparseRows x{.dimension = dimension};
    while (x.rows() < count && current_ < readers_.size()) {
      data::TableReader& reader = *readers_[current_];
      const Index rows = std::min(count - x.rows(), reader.shape().rows - row_in_file_);
      reader.read_sparse(rows, x);
      row_in_file_ += rows;
      if (row_in_file_ == reader.shape().rows) {
        ++current_;
        row_in_file_ = 0;
      }
    }
    return x;
  }

 private:
  std::vector<std::unique_ptr<data::TableReader>> readers_;
  Index rows_ = 0;
  Index widest_ = 0;
  std::size_t current_ = 0;
  Index row_in_file_ = 0;
};

class ProjectedReader final : public FeatureReader {
 public:
  ProjectedReader(SparseChain chain, const SparseProjection& projection)
      : chain_(std::move(chain)), projection_(projection) {}

  Index rows() const override { return chain_.rows(); }
  Index dimension() const override { return projection_.outputs(); }
  Index read(Index max_rows, Matrix<float>& block) override {
    require(max_rows >= 1, "FeatureReader::read: max_rows must be 1 or more");
    const SparseRows x = chain_.read(max_rows, projection_.inputs());
    block = project(projection_, x, /*threads=*/1);
    return x.rows();
  }
  Index skip(Index /*max_rows*/) override { return 0; }

 private:
  SparseChain chain_;
  const SparseProjection& projection_;
};

}  // namespace

SparseRows load_sparse_features(std::span<const std::string> files, const TableOptions& options) {
  SparseChain chain(files, options, /*dimension=*/0);
  return chain.read(chain.rows(), chain.widest());
}

std::unique_ptr<FeatureReader> open_projected(std::span<const std::string> files,
                                              const TableOptions& options,
                                              const SparseProjection& projection) {
  return std::make_unique<ProjectedReader>(SparseChain(files, options, projection.inputs()),
                                           projection);
}

}  // namespace structhash
