#pragma once

#include <string>

#include "data/sha256.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/search/code_index.hpp"
#include "support/temporary_folder.hpp"
#include "support/tiny_datasets.hpp"

/// SHA-256 of everything a method leads to, for comparisons between threads, instruction sets,
/// builds and machines.
namespace structhash::test {

inline std::string sha256(const void* bytes, std::size_t count) {
  data::Sha256 hash;
  hash.add(bytes, count);
  return hash.hex_digest();
}

struct Digests {
  std::string model;       // of the arrays of its file: encoder and bit weights
  std::string codes;       // of their words
  std::string neighbours;  // of ids and distances of all rows as queries
  bool operator==(const Digests&) const = default;
};

inline std::string neighbours_digest(const HashModel& model, const CodeMatrix& codes, int threads) {
  CodeIndex index({.bits = codes.bits(), .bit_weights = model.bit_weights});
  index.add(codes);
  const SearchResult found =
      index.nearest(codes, 10, {.threads = threads, .engine = EngineChoice::scan, .only = nullptr});
  return sha256(found.ids.data(), found.ids.size() * sizeof(std::int64_t)) +
         sha256(found.distances.data(), found.distances.size() * sizeof(float));
}

/// Of the arrays of a file; its JSON header may gain fields.
inline std::string sections_digest(const std::string& path) {
  const Container file(path);
  const std::string bytes = read_bytes(path);
  data::Sha256 hash;
  for (const Section& section : file.sections()) {
    hash.add(section.name.data(), section.name.size());
    hash.add(bytes.data() + section.offset, section.bytes());
  }
  return hash.hex_digest();
}

inline Digests digests_of(const MethodEntry& method, int threads, MethodOptions options = {}) {
  options.bits = 12;
  const TrainingSet data =
      gaussian_clusters(Seed{11}, {.clusters = 3, .rows_per_cluster = 50, .separation = 2.0});
  const HashModel model = method.make(options)->fit(data, {.seed = Seed{3}, .threads = threads});
  const TemporaryFolder folder;
  save_model(model, folder.file("model"));
  const CodeMatrix codes = encode(model, data.x, threads);
  return {.model = sections_digest(folder.file("model")),
          .codes = sha256(codes.words().data(), codes.words().size_bytes()),
          .neighbours = neighbours_digest(model, codes, threads)};
}

}  // namespace structhash::test
