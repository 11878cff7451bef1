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
  std::string model;       // of its file
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

inline Digests digests_of(const MethodEntry& method, int threads) {
  const TrainingSet data =
      gaussian_clusters(Seed{11}, {.clusters = 3, .rows_per_cluster = 50, .separation = 2.0});
  const HashModel model =
      method.make(MethodOptions{.bits = 12})->fit(data, {.seed = Seed{3}, .threads = threads});
  const TemporaryFolder folder;
  save_model(model, folder.file("model"));
  const std::string file = read_bytes(folder.file("model"));
  const CodeMatrix codes = encode(model, data.x, threads);
  return {.model = sha256(file.data(), file.size()),
          .codes = sha256(codes.words().data(), codes.words().size_bytes()),
          .neighbours = neighbours_digest(model, codes, threads)};
}

}  // namespace structhash::test
