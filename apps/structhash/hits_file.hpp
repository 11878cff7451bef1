#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "structhash/data/dataset.hpp"
#include "structhash/relevance/judgments.hpp"
#include "structhash/search/code_index.hpp"

/// The answers of `search --out`, one line per neighbour: query, rank, id, distance, label.
namespace structhash::cli {

/// Names in place of numbers, where they are known.
struct HitNames {
  std::optional<RowIds> queries;   // without: row numbers from 0
  std::vector<std::string> items;  // of the ids 0, 1, 2, ...; empty: the ids
  Labels labels;                   // likewise; empty: no column
};

/// The id as a name, if it has one, and its label; for people.
std::string item_text(const HitNames& names, std::int64_t id);

/// Throws Errc::bad_data unless every id of the index has a name and a label, where there are some.
void check_names(const HitNames& names, const CodeIndex& index);

/// Written block by block; the file appears complete or not at all.
class HitsFile {
 public:
  virtual ~HitsFile() = default;
  virtual void append(const SearchResult& found) = 0;
  virtual void finish() = 0;
};

/// The name decides the format: .tsv, .csv, .jsonl, .npy, or "-" for tsv on stdout.  Throws
/// Errc::usage for any other name, and for names in .npy files, which hold numbers only.
std::unique_ptr<HitsFile> make_hits_file(const std::string& path, HitNames names);

}  // namespace structhash::cli
