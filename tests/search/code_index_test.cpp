#include "structhash/search/code_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "search/random_search.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;

using Ids = std::vector<std::int64_t>;

/// What an index is, said simply: codes by id.
class ModelIndex {
 public:
  ModelIndex(Index bits, std::vector<float> weights) : bits_(bits), weights_(std::move(weights)) {}

  bool numbered = true;
  std::map<std::int64_t, std::vector<std::uint64_t>> codes;

  void add(const CodeMatrix& added, const Ids& ids) {
    for (Index row = 0; row < added.rows(); ++row) {
      const CodeView code = added.row(row);
      codes[ids[static_cast<std::size_t>(row)]] = {code.begin(), code.end()};
    }
  }
  Ids following(Index count) const {
    Ids ids;
    for (Index i = 0; i < count; ++i) {
      ids.push_back((codes.empty() ? 0 : codes.rbegin()->first + 1) + i);
    }
    return ids;
  }
  Ids ids() const {
    Ids all;
    for (const auto& [id, code] : codes) {
      all.push_back(id);
    }
    return all;
  }
  std::vector<std::pair<float, std::int64_t>> ranking(CodeView query, const Ids* only) const {
    const std::optional<WeightTable> table =
        weights_.empty() ? std::nullopt : std::make_optional<WeightTable>(weights_);
    std::vector<std::pair<float, std::int64_t>> all;
    for (const auto& [id, code] : codes) {
      if (only == nullptr || std::ranges::count(*only, id) > 0) {
        all.emplace_back(
            table ? table->distance(query, code) : static_cast<float>(hamming(query, code)), id);
      }
    }
    std::ranges::sort(all);
    return all;
  }

 private:
  Index bits_;
  std::vector<float> weights_;
};

using Pairs = std::vector<std::pair<float, std::int64_t>>;

Pairs list_of(const SearchResult& result, Index query) {
  Pairs pairs;
  for (Index i = result.starts[static_cast<std::size_t>(query)];
       i < result.starts[static_cast<std::size_t>(query) + 1]; ++i) {
    pairs.emplace_back(result.distances[static_cast<std::size_t>(i)],
                       result.ids[static_cast<std::size_t>(i)]);
  }
  return pairs;
}

void expect_same_answers(const CodeIndex& index, const ModelIndex& model, Rng& rng) {
  const CodeMatrix queries = clustered_codes(2, uniform_codes(2, index.bits(), rng), 0.3, rng);
  Ids chosen;
  for (const std::int64_t id : model.ids()) {
    if (rng.uniform() < 0.3) {
      chosen.push_back(id);
    }
  }
  chosen.push_back(123'456'789);  // not in the index
  const IdFilter filter = index.filter(chosen);
  const bool filtered = rng.uniform() < 0.5;
  const IndexSearchOptions how{
      .threads = 1,
      .engine = index.prepared() ? EngineChoice::multi_index : EngineChoice::automatic,
      .only = filtered ? &filter : nullptr};
  const Index k = 1 + rng.below(20);
  const SearchResult nearest = index.nearest(queries, k, how);
  const float radius = static_cast<float>(rng.uniform() * to_double(index.bits()) / 2);
  const SearchResult within = index.within(queries, radius, how);
  ASSERT_EQ(nearest.queries(), 2);
  for (Index query = 0; query < 2; ++query) {
    Pairs expected = model.ranking(queries.row(query), filtered ? &chosen : nullptr);
    Pairs near = expected;
    near.resize(std::min(near.size(), static_cast<std::size_t>(k)));
    ASSERT_EQ(list_of(nearest, query), near);
    std::erase_if(expected, [&](const auto& one) { return one.first > radius; });
    ASSERT_EQ(list_of(within, query), expected);
  }
}

/// Draws a change, makes it on both sides.
void change(CodeIndex& index, ModelIndex& model, Rng& rng, const test::TemporaryFolder& folder) {
  const Index bits = index.bits();
  const CodeMatrix added = clustered_codes(rng.below(30), uniform_codes(3, bits, rng), 0.1, rng);
  switch (rng.below(7)) {
    case 0:
    case 1:
      model.add(added, model.following(added.rows()));
      index.add(added);
      break;
    case 2: {
      Ids ids;
      while (std::ssize(ids) < added.rows()) {
        const std::int64_t id = rng.below(1000);
        if (!model.codes.contains(id) && std::ranges::count(ids, id) == 0) {
          ids.push_back(id);
        }
      }
      model.numbered = model.numbered && ids.empty();
      model.add(added, ids);
      index.add(added, ids);
      break;
    }
    case 3: {
      Ids gone;
      for (const std::int64_t id : model.ids()) {
        if (rng.uniform() < 0.2) {
          gone.insert(rng.uniform() < 0.5 ? gone.begin() : gone.end(), id);
        }
      }
      index.remove(gone);
      model.numbered = model.numbered && gone.empty();
      for (const std::int64_t id : gone) {
        model.codes.erase(id);
      }
      break;
    }
    case 4: {
      CodeIndex other(index.settings());
      if (model.numbered) {
        other.add(added);
        model.add(added, model.following(added.rows()));
      } else {
        const Ids ids = model.following(added.rows());
        other.add(added, ids);
        model.add(added, ids);
      }
      index.merge(other);
      break;
    }
    case 5:
      index.save(folder.file("index.shi"));
      index = CodeIndex::load(folder.file("index.shi"),
                              rng.uniform() < 0.5 ? Verify::everything : Verify::all_but_large);
      break;
    default:
      index.prepare();
      break;
  }
}

TEST(CodeIndex, BehavesAsAMapOfIdsToCodes) {
  const test::TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    const Index bits = 8 + rng.below(130);
    std::vector<float> weights;
    for (Index bit = 0; seed % 2 == 1 && bit < bits; ++bit) {
      weights.push_back(static_cast<float>(rng.uniform()));
    }
    CodeIndex index({.bits = bits, .bit_weights = weights, .model = "m"});
    ModelIndex model(bits, weights);
    for (int round = 0; round < 25; ++round) {
      change(index, model, rng, folder);
      ASSERT_EQ(index.size(), std::ssize(model.codes));
      ASSERT_EQ(index.ids(), model.ids());
      expect_same_answers(index, model, rng);
      const CodeMatrix codes = index.reconstruct(index.ids());
      Index row = 0;
      for (const auto& [id, code] : model.codes) {
        ASSERT_TRUE(std::ranges::equal(codes.row(row++), code));
        ASSERT_TRUE(index.contains(id));
      }
    }
  }
}

TEST(CodeIndex, RefusalsChangeNothing) {
  Rng rng(Seed{1});
  const CodeMatrix codes = clustered_codes(5, uniform_codes(5, 24, rng), 0.5, rng);
  CodeIndex index({.bits = 24});
  index.add(codes, Ids{10, 4, 7, 30, 2});
  const auto unchanged = [&] {
    EXPECT_EQ(index.ids(), (Ids{2, 4, 7, 10, 30}));
    EXPECT_EQ(index.reconstruct(Ids{10, 4, 7, 30, 2}), codes);
  };
  const CodeMatrix two = clustered_codes(2, uniform_codes(2, 24, rng), 0.5, rng);
  expect_error(Errc::usage, "id 7 is in the index already", [&] { index.add(two, Ids{50, 7}); });
  expect_error(Errc::usage, "id 50 is given twice", [&] { index.add(two, Ids{50, 50}); });
  expect_error(Errc::usage, "id -3 is negative", [&] { index.add(two, Ids{50, -3}); });
  expect_error(Errc::usage, "too large", [&] { index.add(two, Ids{50, INT64_MAX}); });
  expect_error(Errc::usage, "1 ids for 2 codes", [&] { index.add(two, Ids{50}); });
  expect_error(Errc::usage, "holds codes of 24 bits, got codes of 25 bits",
               [&] { index.add(CodeMatrix(1, 25), Ids{50}); });
  expect_error(Errc::usage, "id 3 is not in the index", [&] { index.remove(Ids{4, 3}); });
  expect_error(Errc::usage, "id 4 is given twice", [&] { index.remove(Ids{4, 4}); });
  expect_error(Errc::usage, "id 3 is not in the index", [&] { index.reconstruct(Ids{3}); });
  CodeIndex other({.bits = 24});
  other.add(two, Ids{4, 5});
  expect_error(Errc::usage, "id 4 is in the index already", [&] { index.merge(other); });
  expect_error(Errc::usage, "with itself", [&] { index.merge(index); });
  CodeIndex weighted({.bits = 24, .bit_weights = std::vector<float>(24, 1.0F)});
  expect_error(Errc::usage, "different bit weights", [&] { index.merge(weighted); });
  const CodeIndex foreign({.bits = 24, .bit_weights = {}, .model = "other"});
  expect_error(Errc::usage, "different models", [&] { index.merge(foreign); });
  CodeMatrix dirty(1, 24);
  dirty.mutable_words()[0] = std::uint64_t{1} << 40U;
  expect_error(Errc::usage, "must be zero", [&] { index.add(dirty, Ids{50}); });
  unchanged();
}

TEST(CodeIndex, BadSearchesAreRefused) {
  CodeIndex index({.bits = 24});
  EXPECT_TRUE(index.nearest(CodeMatrix(2, 24), 5).ids.empty());  // an empty index has no neighbours
  EXPECT_EQ(index.nearest(CodeMatrix(2, 24), 5).queries(), 2);
  index.add(CodeMatrix(3, 24));
  EXPECT_EQ(index.nearest(CodeMatrix(1, 24), 100).ids, (Ids{0, 1, 2}));  // k > n gives all
  expect_error(Errc::usage, "k must be 1 or more, got 0",
               [&] { index.nearest(CodeMatrix(1, 24), 0); });
  expect_error(Errc::usage, "16", [&] { index.nearest(CodeMatrix(1, 16), 1); });
  expect_error(Errc::usage, "prepare()", [&] {
    index.nearest(CodeMatrix(1, 24), 1,
                  {.threads = 1, .engine = EngineChoice::multi_index, .only = nullptr});
  });
  const IdFilter filter = index.filter(Ids{1});
  index.remove(Ids{0});
  expect_error(Errc::usage, "make it again", [&] {
    index.nearest(CodeMatrix(1, 24), 1,
                  {.threads = 1, .engine = EngineChoice::automatic, .only = &filter});
  });
  expect_error(Errc::usage, "bits must be 1 or more, got 0", [] { CodeIndex({.bits = 0}); });
  expect_error(Errc::usage, "bit weights", [] { CodeIndex({.bits = 3, .bit_weights = {1.0F}}); });
  for (const float wrong : {-1.0F, std::nanf("")}) {
    expect_error(Errc::usage, "weight of bit 1",
                 [&] { CodeIndex({.bits = 2, .bit_weights = {1.0F, wrong}}); });
  }
  expect_error(Errc::usage, "did you mean 'multi-index'", [] { parse_engine("multi-indx"); });
}

TEST(CodeIndex, ScanNeedsATenthMoreMemoryThanTheCodes) {
  CodeIndex index({.bits = 64});
  for (int part = 0; part < 100; ++part) {
    index.add(CodeMatrix(1000, 64));
  }
  EXPECT_LE(static_cast<double>(index.bytes()), 1.1 * 100'000 * 8);
}

TEST(CodeIndex, AutomaticChoiceGoesByRowsNeighboursAndBatch) {
  CodeIndex index({.bits = 64});
  index.add(CodeMatrix(4'000'000, 64));
  EXPECT_EQ(index.engine(10, 1), "scan");  // no tables yet
  index.prepare(2);
  EXPECT_EQ(index.engine(10, 1), "multi-index");
  EXPECT_EQ(index.engine(10, 1000), "scan");
  EXPECT_EQ(index.engine(100'000, 1), "scan");
  index.remove(Ids{5});
  EXPECT_EQ(index.engine(10, 1), "scan");  // a change drops the tables
}

}  // namespace
}  // namespace structhash
