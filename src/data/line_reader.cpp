#include "data/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace structhash::data {
namespace {

constexpr std::size_t kReadSize = 1U << 18U;
constexpr std::size_t kMaxLineBytes = 1U << 26U;  // bounds memory for binary files
constexpr std::string_view kSpaces = " \t\r\n\v\f";

}  // namespace

bool LineReader::next(std::string_view& line) {
  while (next_raw(line)) {
    if (line_number_ == 1 && line.starts_with("\xef\xbb\xbf")) {
      line.remove_prefix(3);  // the byte order mark of UTF-8
    }
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    const std::string_view content = trimmed(line);
    if (!content.empty() && content.front() != '#') {
      ++row_number_;
      return true;
    }
  }
  return false;
}

bool LineReader::next_raw(std::string_view& line) {
  std::size_t searched = begin_;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = end + 1;
      ++line_number_;
      return true;
    }
    searched = buffer_.size() - begin_;  // where the new bytes will start
    if (!fill()) {
      break;
    }
  }
  if (begin_ == buffer_.size()) {
    return false;
  }
  line = std::string_view(buffer_).substr(begin_);  // the last line may lack its end
  begin_ = buffer_.size();
  ++line_number_;
  return true;
}

/// Drops the lines already returned and reads more.  False at the end of the file.
bool LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t left = buffer_.size();
  if (left > kMaxLineBytes) {
    source_.fail(Errc::corrupt_file,
                 fmt::format("line {} is longer than {} bytes; is it a text file?",
                             line_number_ + 1, kMaxLineBytes));
  }
  const std::size_t more = std::max(kReadSize, left);
  buffer_.resize(left + more);
  const std::size_t got = source_.read_some(offset_, buffer_.data() + left, more);
  buffer_.resize(left + got);
  offset_ += got;
  return got > 0;
}

void LineReader::skip_header() {
  std::string_view line;
  next(line);
  row_number_ = 0;
}

void LineReader::rewind() {
  buffer_.clear();
  begin_ = 0;
  offset_ = 0;
  line_number_ = 0;
  row_number_ = 0;
}

void LineReader::fail(Index column, const std::string& message) const {
  const std::string place = fmt::format("row {} (line {})", row_number_, line_number_);
  const std::string where = column > 0 ? fmt::format("{}, column {}", place, column) : place;
  source_.fail(Errc::bad_data, where + ": " + message);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool parse_number(std::string_view text, double& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return false;
    }
  }
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, value);
  if (status == std::errc::result_out_of_range && end == last) {
    value = std::strtod(std::string(text).c_str(), nullptr);  // 0 for 1e-400, infinity for 1e400
    return true;
  }
  return status == std::errc{} && end == last;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string result = "'";
  for (const char c : text.substr(0, kShown)) {
    result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result + (text.size() > kShown ? "...'" : "'");
}

}  // namespace structhash::data
