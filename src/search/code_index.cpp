#include "structhash/search/code_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/suggest.hpp"
#include "search/checks.hpp"
#include "search/code_index_state.hpp"
#include "search/multi_index/multi_index.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

// In the order of EngineChoice.
constexpr std::array<std::string_view, 3> kEngineNames{"auto", "scan", "multi-index"};

constexpr std::string_view kGpuEngine = "gpu scan";

std::string_view engine_name(EngineChoice choice) {
  return kEngineNames.at(static_cast<std::size_t>(choice));
}

// Measured for single queries: at 1 million words a scan is as fast or faster, unless neighbours
// are very near; at 10 million it is slower.  The value lies between and was not itself measured.
constexpr Index kWordsForFewQueries = 4'000'000;
constexpr Index kWordsForBatches =
    16'000'000;  // an estimate: a batch shares one pass over the codes
constexpr Index kBatch = 32;
constexpr Index kMaxNeighbours = 1'000;

std::int64_t checked_row(const search::IndexContent& content, std::int64_t id) {
  const auto row = content.row_of(id);
  require(row.has_value(), fmt::format("id {} is not in the index", id));
  return *row;
}

}  // namespace

EngineChoice parse_engine(std::string_view word) {
  const auto* const found = std::ranges::find(kEngineNames, word);
  if (found == kEngineNames.end()) {
    fail(Errc::usage, unknown_name("engine", word, kEngineNames));
  }
  return static_cast<EngineChoice>(found - kEngineNames.begin());
}

std::optional<Index> search::IndexContent::row_of(std::int64_t id) const {
  if (numbered) {
    return id >= 0 && id < rows ? std::optional<Index>(id) : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(ids, id);
  return found != ids.end() && *found == id ? std::optional<Index>(found - ids.begin())
                                            : std::nullopt;
}

CodeIndex::State::State(IndexSettings settings_) : settings(std::move(settings_)) {
  require(settings.bits >= 1, fmt::format("bits must be 1 or more, got {}", settings.bits));
  if (!settings.bit_weights.empty()) {
    search::check_weight_count(codes(), settings.bit_weights);
  }
  scan = make_scan(content);
}

std::unique_ptr<SearchEngine> CodeIndex::State::make_scan(const search::IndexContent& next) const {
  const CodeSpan span(next.words, next.rows, settings.bits);
  return settings.bit_weights.empty() ? search::make_flat_scan(span)
                                      : search::make_flat_scan(span, settings.bit_weights);
}

void CodeIndex::State::drop_tables() noexcept {
  multi_index.reset();
  tables.reset();
  gpu_scan.reset();
  ++revision;
}

void CodeIndex::State::replace(search::IndexContent next) {
  auto next_scan = make_scan(next);  // may throw; nothing below does
  drop_tables();
  scan = std::move(next_scan);
  content = std::move(next);
}

void CodeIndex::State::use_tables(std::shared_ptr<const search::BucketTables> next) {
  multi_index = search::make_multi_index(codes(), settings.bit_weights, next);
  tables = std::move(next);
}

EngineChoice CodeIndex::State::resolve(EngineChoice choice, Index k, Index queries) const {
  if (on_gpu()) {
    require(choice != EngineChoice::multi_index,
            "the multi-index does not run on a GPU; use the engine scan, or the device cpu");
    return EngineChoice::scan;
  }
  if (choice != EngineChoice::automatic) {
    return choice;
  }
  const bool near = k <= std::min(kMaxNeighbours, content.rows / 100);
  const Index words = queries < kBatch ? kWordsForFewQueries : kWordsForBatches;
  const bool large = std::ssize(content.words) >= words;
  return multi_index && near && large ? EngineChoice::multi_index : EngineChoice::scan;
}

const SearchEngine& CodeIndex::State::engine(EngineChoice choice) const {
  if (choice == EngineChoice::scan) {
    return on_gpu() ? static_cast<const SearchEngine&>(gpu()) : *scan;
  }
  require(multi_index != nullptr,
          "the multi-index has no tables; call prepare() after building or changing the index");
  return *multi_index;
}

const search::GpuScan& CodeIndex::State::gpu() const {
  const std::scoped_lock lock(making_gpu_scan);
  if (gpu_scan == nullptr) {
    gpu_scan = search::make_gpu_scan(codes(), settings.bit_weights, device);
  }
  return *gpu_scan;
}

CodeIndex::CodeIndex(IndexSettings settings)
    : state_(std::make_unique<State>(std::move(settings))) {}
CodeIndex::CodeIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
CodeIndex::~CodeIndex() = default;
CodeIndex::CodeIndex(CodeIndex&&) noexcept = default;
CodeIndex& CodeIndex::operator=(CodeIndex&&) noexcept = default;

Index CodeIndex::size() const {
  const auto reading = state_->guard.read();
  return state_->content.rows;
}

Index CodeIndex::bits() const {
  return state_->settings.bits;
}

const IndexSettings& CodeIndex::settings() const {
  return state_->settings;
}

bool CodeIndex::contains(std::int64_t id) const {
  const auto reading = state_->guard.read();
  return state_->content.row_of(id).has_value();
}

std::vector<std::int64_t> CodeIndex::ids() const {
  const auto reading = state_->guard.read();
  const search::IndexContent& content = state_->content;
  if (!content.numbered) {
    return {content.ids.begin(), content.ids.end()};
  }
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(content.rows));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return numbers;
}

CodeMatrix CodeIndex::reconstruct(std::span<const std::int64_t> ids) const {
  const auto reading = state_->guard.read();
  CodeMatrix codes(std::ssize(ids), bits());
  auto out = codes.mutable_words().begin();
  for (const std::int64_t id : ids) {
    const CodeView code = state_->codes().row(checked_row(state_->content, id));
    out = std::ranges::copy(code, out).out;
  }
  return codes;
}

IdFilter CodeIndex::filter(std::span<const std::int64_t> ids) const {
  const auto reading = state_->guard.read();
  IdFilter filter{.rows = std::vector<std::uint64_t>(static_cast<std::size_t>((size() + 63) / 64)),
                  .revision = state_->revision};
  for (const std::int64_t id : ids) {
    if (const auto row = state_->content.row_of(id)) {
      const auto bit = static_cast<std::size_t>(*row);
      filter.rows[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  return filter;
}

std::size_t CodeIndex::bytes() const {
  const auto reading = state_->guard.read();
  const search::IndexContent& content = state_->content;
  return std::max(content.words.size(), content.owned_words.capacity()) * sizeof(std::uint64_t) +
         std::max(content.ids.size(), content.owned_ids.capacity()) * sizeof(std::int64_t) +
         (state_->tables ? state_->tables->bytes() : 0);
}

void CodeIndex::prepare(int threads) {
  const auto change = state_->guard.change();
  if (state_->tables == nullptr) {
    state_->use_tables(std::make_shared<const search::BucketTables>(
        search::BucketTables::build(state_->codes(), 0, threads)));
  }
}

void CodeIndex::use_device(std::string_view device) {
  const auto change = state_->guard.change();
  std::unique_ptr<search::GpuScan> scan;
  if (search::is_gpu(device)) {
    state_->gpu_scan.reset();  // the memory of a GPU may not suffice for two
    scan = search::make_gpu_scan(state_->codes(), state_->settings.bit_weights, device);
  }
  std::string name(device);
  state_->gpu_scan = std::move(scan);
  state_->device = std::move(name);
}

const std::string& CodeIndex::device() const {
  return state_->device;
}

bool CodeIndex::prepared() const {
  const auto reading = state_->guard.read();
  return state_->tables != nullptr;
}

SearchOptions CodeIndex::State::engine_options(const IndexSearchOptions& options) const {
  SearchOptions how{.threads = options.threads, .allowed = {}};
  if (options.only != nullptr) {
    require(options.only->revision == revision,
            "the index has changed since this filter was made; make it again");
    how.allowed = options.only->rows;
  }
  return how;
}

SearchResult CodeIndex::State::with_ids(const Neighbours& lists, EngineChoice choice) const {
  SearchResult result;
  result.engine = on_gpu() ? kGpuEngine : engine_name(choice);
  std::size_t total = 0;
  for (const auto& list : lists) {
    total += list.size();
  }
  result.starts.reserve(lists.size() + 1);
  result.distances.reserve(total);
  result.ids.reserve(total);
  for (const auto& list : lists) {
    for (const Neighbour& found : list) {
      result.distances.push_back(found.distance);
      result.ids.push_back(content.id_of(found.row));
    }
    result.starts.push_back(std::ssize(result.ids));
  }
  return result;
}

SearchResult CodeIndex::nearest(const CodeSpan& queries, Index k,
                                const IndexSearchOptions& options) const {
  const auto reading = state_->guard.read();
  const SearchOptions how = state_->engine_options(options);
  const EngineChoice choice = state_->resolve(options.engine, k, queries.rows);
  return state_->with_ids(state_->engine(choice).nearest(queries, k, how), choice);
}

SearchResult CodeIndex::within(const CodeSpan& queries, float radius,
                               const IndexSearchOptions& options) const {
  const auto reading = state_->guard.read();
  const SearchOptions how = state_->engine_options(options);
  const EngineChoice choice = state_->resolve(options.engine, 1, queries.rows);
  return state_->with_ids(state_->engine(choice).within(queries, radius, how), choice);
}

/// The multi-index orders its buckets by the weights, so every query has an engine of its own.
SearchResult CodeIndex::State::nearest_values(const MatrixView& values,
                                              std::span<const float> bit_weights, Index k,
                                              const IndexSearchOptions& options) const {
  const SearchOptions how = engine_options(options);
  if (on_gpu()) {
    const EngineChoice choice = resolve(options.engine, k, values.rows());
    return with_ids(gpu().nearest_values(values, bit_weights, k, how), choice);
  }
  if (options.engine != EngineChoice::multi_index) {
    return with_ids(search::nearest_asymmetric(codes(), values, bit_weights, k, how),
                    EngineChoice::scan);
  }
  engine(EngineChoice::multi_index);  // throws without tables
  search::check_values(codes(), values, bit_weights);
  Neighbours found;
  for (Index row = 0; row < values.rows(); ++row) {
    const search::SignsAndWeights query = search::split_values(values, row, bit_weights);
    const auto own = search::make_multi_index(codes(), query.weights, tables);
    found.push_back(std::move(own->nearest(query.code, k, how).front()));
  }
  return with_ids(found, EngineChoice::multi_index);
}

SearchResult CodeIndex::nearest_asymmetric(const MatrixView& values, Index k,
                                           const IndexSearchOptions& options) const {
  const auto reading = state_->guard.read();
  return state_->nearest_values(values, state_->settings.bit_weights, k, options);
}

SearchResult CodeIndex::nearest_adaptive(const MatrixView& values, Index k,
                                         const IndexSearchOptions& options) const {
  const auto reading = state_->guard.read();
  return state_->nearest_values(values, {}, k, options);
}

std::string_view CodeIndex::engine(Index k, Index queries) const {
  const auto reading = state_->guard.read();
  const EngineChoice choice = state_->resolve(EngineChoice::automatic, k, queries);
  return state_->on_gpu() ? kGpuEngine : engine_name(choice);
}

}  // namespace structhash
