#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/npy_write.hpp"
#include "hits_file.hpp"
#include "structhash/search/code_index.hpp"

/// The neighbours that `search` writes, block by block.
namespace structhash::cli {

/// k nearest: queries x k arrays, padded with -1 and infinity if there are fewer codes.
/// Radius search: one row per neighbour, (query, id) and its distance.
class AnswerFiles {
 public:
  /// Empty paths are not written; `columns` = 0 for radius search.  Without `hits`, no such file.
  AnswerFiles(const std::string& neighbours, const std::string& distances, Index columns,
              std::unique_ptr<HitsFile> hits);

  void append(const SearchResult& found);
  void finish();

 private:
  void append_table(const SearchResult& found);
  void append_pairs(const SearchResult& found);

  Index columns_;
  Index first_query_ = 0;
  std::optional<NpyWriter> neighbours_;
  std::optional<NpyWriter> distances_;
  std::unique_ptr<HitsFile> hits_;
  std::vector<std::int64_t> ids_;
  std::vector<float> values_;
};

}  // namespace structhash::cli
