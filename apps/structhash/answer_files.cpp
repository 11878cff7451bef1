#include "answer_files.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace structhash::cli {

AnswerFiles::AnswerFiles(const std::string& neighbours, const std::string& distances, Index columns,
                         std::unique_ptr<HitsFile> hits)
    : columns_(columns), hits_(std::move(hits)) {
  if (!neighbours.empty()) {
    neighbours_.emplace(neighbours, "<i8", sizeof(std::int64_t), columns == 0 ? 2 : columns);
  }
  if (!distances.empty()) {
    distances_.emplace(distances, "<f4", sizeof(float), columns == 0 ? 1 : columns);
  }
}

void AnswerFiles::append(const SearchResult& found) {
  ids_.clear();
  values_.clear();
  if (columns_ == 0) {
    append_pairs(found);
  } else {
    append_table(found);
  }
  first_query_ += found.queries();
  if (neighbours_) {
    neighbours_->append(std::as_bytes(std::span(ids_)));
  }
  if (distances_) {
    distances_->append(std::as_bytes(std::span(values_)));
  }
  if (hits_) {
    hits_->append(found);
  }
}

void AnswerFiles::append_table(const SearchResult& found) {
  for (Index query = 0; query < found.queries(); ++query) {
    const auto begin = found.starts[static_cast<std::size_t>(query)];
    const auto end = found.starts[static_cast<std::size_t>(query) + 1];
    ids_.insert(ids_.end(), found.ids.begin() + begin, found.ids.begin() + end);
    values_.insert(values_.end(), found.distances.begin() + begin, found.distances.begin() + end);
    const auto whole = static_cast<std::size_t>((query + 1) * columns_);
    ids_.resize(whole, -1);
    values_.resize(whole, std::numeric_limits<float>::infinity());
  }
}

void AnswerFiles::append_pairs(const SearchResult& found) {
  for (Index query = 0; query < found.queries(); ++query) {
    for (Index i = found.starts[static_cast<std::size_t>(query)];
         i < found.starts[static_cast<std::size_t>(query) + 1]; ++i) {
      ids_.push_back(first_query_ + query);
      ids_.push_back(found.ids[static_cast<std::size_t>(i)]);
    }
  }
  values_ = found.distances;
}

void AnswerFiles::finish() {
  if (neighbours_) {
    neighbours_->finish();
  }
  if (distances_) {
    distances_->finish();
  }
  if (hits_) {
    hits_->finish();
  }
}

}  // namespace structhash::cli
