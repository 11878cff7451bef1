#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "search/checks.hpp"
#include "search/code_index_state.hpp"
#include "structhash/core/error.hpp"

/// Changes of an index.  The new content is built separately and replaces the old one at the end,
/// so an error leaves the index unchanged.
namespace structhash {
namespace {

using search::IndexContent;

constexpr std::int64_t kMaxId = std::numeric_limits<std::int64_t>::max() - 1;

void append_code(std::vector<std::uint64_t>& words, CodeView code) {
  words.insert(words.end(), code.begin(), code.end());
}

/// Positions of `ids` in ascending order of id; throws for a negative or repeated one.
std::vector<std::size_t> sorted_positions(std::span<const std::int64_t> ids) {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto id_at = [&](std::size_t i) { return ids[i]; };
  if (!std::ranges::is_sorted(ids)) {
    std::ranges::sort(order, {}, id_at);
  }
  const auto twice = std::ranges::adjacent_find(order, {}, id_at);
  require(twice == order.end(),
          fmt::format("id {} is given twice", twice == order.end() ? 0 : ids[*twice]));
  if (!order.empty()) {
    require(ids[order.front()] >= 0,
            fmt::format("id {} is negative; ids are whole numbers from 0", ids[order.front()]));
    require(ids[order.back()] <= kMaxId,
            fmt::format("id {} is too large; the largest is {}", ids[order.back()], kMaxId));
  }
  return order;
}

std::vector<std::int64_t> numbers_from(std::int64_t first, Index count) {
  require(first <= kMaxId - count + 1, "the largest id is taken; give the ids yourself");
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// Room for a sixteenth more: repeated small additions do not copy everything each time, and memory
/// stays within a tenth above that of the codes.
std::size_t room_for(std::size_t size, std::size_t added) {
  return size + std::max(added, size / 16);
}

/// A copy of the content with room for more.
IndexContent copy_with_room(const IndexContent& from, std::size_t more_words, std::size_t more_ids,
                            bool numbered) {
  IndexContent next;
  next.numbered = numbered;
  next.rows = from.rows;
  next.owned_words.reserve(room_for(from.words.size(), more_words));
  next.owned_words.assign(from.words.begin(), from.words.end());
  if (!numbered) {
    const auto rows = static_cast<std::size_t>(from.rows);
    next.owned_ids.reserve(room_for(rows, more_ids));
    next.owned_ids.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      next.owned_ids[row] = from.id_of(static_cast<Index>(row));
    }
  }
  return next;
}

/// Appends codes whose ids, in `order`, are above those of the content.
void append_at_end(IndexContent& content, const CodeSpan& codes, std::span<const std::int64_t> ids,
                   std::span<const std::size_t> order) {
  for (const std::size_t i : order) {
    append_code(content.owned_words, codes.row(static_cast<Index>(i)));
    if (!content.numbered) {
      content.owned_ids.push_back(ids[i]);
    }
  }
  content.rows += codes.rows;
  content.view_owned();
}

IndexContent merged(const IndexContent& old, const CodeSpan& old_codes, const CodeSpan& codes,
                    std::span<const std::int64_t> ids, std::span<const std::size_t> order) {
  IndexContent next;
  next.numbered = false;
  next.rows = old.rows + codes.rows;
  next.owned_words.reserve(old.words.size() + codes.words.size());
  next.owned_ids.reserve(static_cast<std::size_t>(next.rows));
  auto added = order.begin();
  for (Index row = 0; row < old.rows || added != order.end();) {
    if (added == order.end() || (row < old.rows && old.id_of(row) < ids[*added])) {
      next.owned_ids.push_back(old.id_of(row));
      append_code(next.owned_words, old_codes.row(row++));
    } else {
      next.owned_ids.push_back(ids[*added]);
      append_code(next.owned_words, codes.row(static_cast<Index>(*added++)));
    }
  }
  next.view_owned();
  return next;
}

}  // namespace

/// In place if there is room; the words that the old engines refer to then do not move.
void CodeIndex::State::append(const CodeSpan& codes, std::span<const std::int64_t> ids,
                              std::span<const std::size_t> order, bool numbered) {
  const std::size_t old_words = content.owned_words.size();
  const std::size_t old_ids = content.owned_ids.size();
  const bool room = content.file == nullptr && numbered == content.numbered &&
                    content.owned_words.capacity() - old_words >= codes.words.size() &&
                    (numbered || content.owned_ids.capacity() - old_ids >= ids.size());
  if (!room) {
    IndexContent next = copy_with_room(content, codes.words.size(), ids.size(), numbered);
    append_at_end(next, codes, ids, order);
    replace(std::move(next));
    return;
  }
  append_at_end(content, codes, ids, order);
  try {
    scan = make_scan(content);
  } catch (...) {
    content.owned_words.resize(old_words);
    content.owned_ids.resize(old_ids);
    content.rows -= codes.rows;
    content.view_owned();
    throw;
  }
  drop_tables();
}

void CodeIndex::State::insert(const CodeSpan& codes, std::span<const std::int64_t> ids) {
  const std::vector<std::size_t> order = sorted_positions(ids);
  for (const std::int64_t id : ids) {
    require(!content.row_of(id), fmt::format("id {} is in the index already", id));
  }
  if (order.empty()) {
    return;
  }
  if (ids[order.front()] >= content.next_id()) {
    append(codes, ids, order, /*numbered=*/false);
  } else {
    replace(merged(content, this->codes(), codes, ids, order));
  }
}

void CodeIndex::State::check_added(const CodeSpan& codes) const {
  search::check_codes(codes);
  require(codes.bits == settings.bits,
          fmt::format("the index holds codes of {1} bits, got codes of {0} bits", codes.bits,
                      settings.bits));
  require_zero_padding(codes.words, codes.bits);
}

void CodeIndex::add(const CodeSpan& codes) {
  const auto change = state_->guard.change();
  state_->check_added(codes);
  const auto numbers = numbers_from(state_->content.next_id(), codes.rows);
  if (!numbers.empty()) {
    state_->append(codes, numbers, sorted_positions(numbers), state_->content.numbered);
  }
}

void CodeIndex::add(const CodeSpan& codes, std::span<const std::int64_t> ids) {
  const auto change = state_->guard.change();
  state_->check_added(codes);
  require(std::ssize(ids) == codes.rows,
          fmt::format("{} ids for {} codes; one id per code is needed", ids.size(), codes.rows));
  state_->insert(codes, ids);
}

void CodeIndex::remove(std::span<const std::int64_t> ids) {
  const auto change = state_->guard.change();
  const IndexContent& content = state_->content;
  for (const std::int64_t id : ids) {
    require(content.row_of(id).has_value(), fmt::format("id {} is not in the index", id));
  }
  const std::vector<std::size_t> order = sorted_positions(ids);
  if (order.empty()) {
    return;
  }
  IndexContent next;
  next.numbered = false;
  next.rows = content.rows - std::ssize(ids);
  next.owned_words.reserve(static_cast<std::size_t>(next.rows * state_->codes().words_per_code()));
  next.owned_ids.reserve(static_cast<std::size_t>(next.rows));
  auto removed = order.begin();
  for (Index row = 0; row < content.rows; ++row) {
    const std::int64_t id = content.id_of(row);
    if (removed != order.end() && id == ids[*removed]) {
      ++removed;
      continue;
    }
    next.owned_ids.push_back(id);
    append_code(next.owned_words, state_->codes().row(row));
  }
  next.view_owned();
  state_->replace(std::move(next));
}

void CodeIndex::merge(const CodeIndex& other) {
  require(&other != this, "an index cannot be merged with itself");
  const auto change = state_->guard.change();
  const auto reading = other.state_->guard.read();
  const State& from = *other.state_;
  require(from.settings.bit_weights == state_->settings.bit_weights,
          "the indexes have different bit weights, so their distances cannot be compared");
  require(from.settings.model == state_->settings.model,
          "the codes of the indexes come from different models and cannot be compared");
  state_->check_added(from.codes());
  const bool both_numbered = state_->content.numbered && from.content.numbered;
  const auto ids = numbers_from(both_numbered ? state_->content.next_id() : 0, from.content.rows);
  if (both_numbered) {
    if (!ids.empty()) {
      state_->append(from.codes(), ids, sorted_positions(ids), /*numbered=*/true);
    }
  } else {
    state_->insert(from.codes(),
                   from.content.numbered ? std::span<const std::int64_t>(ids) : from.content.ids);
  }
}

}  // namespace structhash
