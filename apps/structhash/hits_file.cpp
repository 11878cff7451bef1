#include "hits_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/atomic_file.hpp"
#include "data/npy_write.hpp"
#include "structhash/core/error.hpp"
#include "terminal.hpp"

namespace structhash::cli {
namespace {

constexpr std::size_t kMaxText = 1U << 20U;  // bytes held before they are written

struct Hit {
  Index query;
  Index rank;  // from 1
  std::int64_t id;
  float distance;
};

/// Calls take(hit) for every neighbour; `first` is the number of the first query.
template <typename Take>
void visit_hits(const SearchResult& found, Index first, const Take& take) {
  for (Index query = 0; query < found.queries(); ++query) {
    const Index begin = found.starts[static_cast<std::size_t>(query)];
    const Index end = found.starts[static_cast<std::size_t>(query) + 1];
    for (Index i = begin; i < end; ++i) {
      take(Hit{first + query, i - begin + 1, found.ids[static_cast<std::size_t>(i)],
               found.distances[static_cast<std::size_t>(i)]});
    }
  }
}

/// Quoted if the text holds the separator, a quote or a line end.
std::string field(const std::string& text, char separator) {
  if (text.find_first_of(std::string("\"\r\n") + separator) == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

class TextHits final : public HitsFile {
 public:
  enum class Format { tsv, csv, jsonl };

  TextHits(const std::string& path, Format format, HitNames names)
      : names_(std::move(names)), format_(format), separator_(format == Format::csv ? ',' : '\t') {
    if (path != "-") {
      file_.emplace(path);
    }
    if (format_ != Format::jsonl) {
      std::string header = "query\trank\tid\tdistance";
      header += names_.labels.empty() ? "\n" : "\tlabel\n";
      std::ranges::replace(header, '\t', separator_);
      write(header);
    }
  }

  void append(const SearchResult& found) override {
    std::string text;
    visit_hits(found, first_query_, [&](const Hit& hit) {
      text += format_ == Format::jsonl ? json_line(hit) : separated_line(hit);
      if (text.size() > kMaxText) {
        write(std::exchange(text, {}));
      }
    });
    first_query_ += found.queries();
    write(text);
  }

  void finish() override {
    if (file_) {
      file_->commit();
    }
  }

 private:
  void write(const std::string& text) {
    if (file_) {
      file_->write(text);
    } else {
      print_data(text);
    }
  }

  std::string query_text(const Hit& hit) const {
    return names_.queries ? names_.queries->id(hit.query) : std::to_string(hit.query);
  }
  std::string item_text(const Hit& hit) const {
    return names_.items.empty() ? std::to_string(hit.id) : names_.items.at(place(hit));
  }
  static std::size_t place(const Hit& hit) { return static_cast<std::size_t>(hit.id); }

  std::string separated_line(const Hit& hit) const {
    const auto quoted = [this](const std::string& text) { return field(text, separator_); };
    std::string line = fmt::format("{1}{0}{2}{0}{3}{0}{4}", separator_, quoted(query_text(hit)),
                                   hit.rank, quoted(item_text(hit)), hit.distance);
    if (!names_.labels.empty()) {
      line += separator_ + quoted(names_.labels.class_text(hit.id));
    }
    return line + "\n";
  }

  std::string json_line(const Hit& hit) const {
    nlohmann::ordered_json json;
    json["query"] = hit.query;
    if (names_.queries) {
      json["query"] = names_.queries->id(hit.query);
    }
    json["rank"] = hit.rank;
    json["id"] = hit.id;
    if (!names_.items.empty()) {
      json["id"] = item_text(hit);
    }
    json["distance"] = hit.distance;
    if (!names_.labels.empty()) {
      json["label"] = names_.labels.names.empty()
                          ? nlohmann::ordered_json(names_.labels.classes.at(place(hit)))
                          : nlohmann::ordered_json(names_.labels.class_text(hit.id));
    }
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  HitNames names_;
  Format format_;
  char separator_;
  std::optional<AtomicFile> file_;
  Index first_query_ = 0;
};

/// A structured array: numpy.load(path)["id"].
class ArrayHits final : public HitsFile {
 public:
  explicit ArrayHits(const std::string& path)
      : file_(path, "[('query', '<i8'), ('rank', '<i8'), ('id', '<i8'), ('distance', '<f4')]",
              kRowBytes, /*columns=*/1) {}

  void append(const SearchResult& found) override {
    std::string rows;
    visit_hits(found, first_query_, [&rows](const Hit& hit) {
      const std::int64_t numbers[] = {hit.query, hit.rank, hit.id};
      rows.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
      rows.append(reinterpret_cast<const char*>(&hit.distance), sizeof(float));
    });
    first_query_ += found.queries();
    file_.append(std::as_bytes(std::span(rows.data(), rows.size())));
  }

  void finish() override { file_.finish(); }

 private:
  static constexpr std::size_t kRowBytes = 3 * sizeof(std::int64_t) + sizeof(float);
  NpyWriter file_;
  Index first_query_ = 0;
};

}  // namespace

std::string item_text(const HitNames& names, std::int64_t id) {
  std::string text =
      names.items.empty() ? std::to_string(id) : names.items.at(static_cast<std::size_t>(id));
  return names.labels.empty() ? text : text + " " + names.labels.class_text(id);
}

void check_names(const HitNames& names, const CodeIndex& index) {
  if (names.items.empty() && names.labels.empty()) {
    return;
  }
  const std::vector<std::int64_t> ids = index.ids();
  const Index needed = ids.empty() ? 0 : ids.back() + 1;
  const auto check = [&](Index given, const char* what) {
    if (given > 0 && given < needed) {
      fail(Errc::bad_data,
           fmt::format("there are {} {}, but the largest id is {}; line i + 1 is for id i", given,
                       what, needed - 1));
    }
  };
  check(std::ssize(names.items), "ids in --ids");
  check(names.labels.size(), "labels in --labels");
}

std::unique_ptr<HitsFile> make_hits_file(const std::string& path, HitNames names) {
  if (path.ends_with(".npy")) {
    require(!names.queries && names.items.empty() && names.labels.empty(),
            "--out " + path +
                ": an array holds numbers only; use .tsv, .csv or .jsonl for ids and "
                "labels");
    return std::make_unique<ArrayHits>(path);
  }
  const bool csv = path.ends_with(".csv");
  const bool jsonl = path.ends_with(".jsonl");
  require(path == "-" || path.ends_with(".tsv") || csv || jsonl,
          "--out " + path +
              ": cannot determine the format from the name; use .tsv, .csv, .jsonl, "
              ".npy, or - for standard output");
  return std::make_unique<TextHits>(path,
                                    csv     ? TextHits::Format::csv
                                    : jsonl ? TextHits::Format::jsonl
                                            : TextHits::Format::tsv,
                                    std::move(names));
}

}  // namespace structhash::cli
