#pragma once

#include <string>
#include <string_view>

#include "data/byte_source.hpp"
#include "structhash/core/types.hpp"

namespace structhash::data {

/// The lines of a text file; the buffer holds the longest line.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : source_(path) {}

  /// The next line of data without its line end; skips blank lines and lines that start with #.
  /// The text is valid until the next call.
  bool next(std::string_view& line);
  /// Skips a line that is not a row of data.
  void skip_header();
  void rewind();

  /// Throws Errc::bad_data naming file, row, line and (from 1; 0: none) column.
  [[noreturn]] void fail(Index column, const std::string& message) const;
  const ByteSource& source() const { return source_; }
  /// Bytes of text read so far.
  std::uint64_t bytes() const { return offset_; }

 private:
  bool next_raw(std::string_view& line);
  bool fill();

  ByteSource source_;
  std::string buffer_;
  std::size_t begin_ = 0;     // of the part not yet given out
  std::uint64_t offset_ = 0;  // in the file, of the end of the buffer
  Index line_number_ = 0;
  Index row_number_ = 0;  // lines that hold data
};

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

/// The whole text as a number: decimal or scientific, a leading + allowed, NaN and infinity too.
/// Too small for a double gives 0, too large infinity.
bool parse_number(std::string_view text, double& value);

/// "'text'" for messages: long text is cut, unprintable bytes are replaced.
std::string shown(std::string_view text);

}  // namespace structhash::data
