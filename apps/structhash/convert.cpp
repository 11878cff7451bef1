#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "choices.hpp"
#include "codes/code_export.hpp"
#include "core/atomic_file.hpp"
#include "data/npy_write.hpp"
#include "session.hpp"
#include "structhash/codes/code_io.hpp"

namespace structhash::cli {
namespace {

/// One form of codes for other systems.
struct Form {
  enum class Content { bytes, signed_bytes, words, hex, bit_text, code_file };

  std::string_view name;
  Content content;
  std::optional<BitOrder> order;  // fixed by the system; none: the user may choose
  bool whole_bytes;               // the system takes multiples of 8 bits only
};

constexpr std::array kForms{
    Form{"faiss", Form::Content::bytes, BitOrder::little, true},
    Form{"npy", Form::Content::bytes, std::nullopt, false},
    Form{"hex", Form::Content::hex, std::nullopt, false},
    Form{"pgvector", Form::Content::bit_text, BitOrder::big, false},
    Form{"ubinary", Form::Content::bytes, BitOrder::big, true},
    Form{"binary", Form::Content::signed_bytes, BitOrder::big, true},
    Form{"uint64", Form::Content::words, BitOrder::little, false},
    Form{"shc", Form::Content::code_file, BitOrder::little, false},
};

constexpr Index kBlock = Index{1} << 16U;  // codes at a time

struct ConvertOptions {
  std::string codes;
  std::string out;
  const Form* form = nullptr;
  std::optional<BitOrder> order;
  Index bits = 0;  // the first of the codes; 0: all
};

const Form& form_named(const std::string& word) {
  std::array<std::string_view, kForms.size()> names;
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    names[i] = kForms[i].name;
    if (names[i] == word) {
      return kForms[i];
    }
  }
  fail(Errc::usage, unknown_name("value of --to", word, names));
}

BitOrder order_of(const ConvertOptions& options) {
  const Form& form = *options.form;
  const BitOrder order = options.order.value_or(form.order.value_or(BitOrder::little));
  require(!form.order || *form.order == order,
          fmt::format("--to {} has a fixed bit order; leave out --bitorder, or use --to npy",
                      form.name));
  return order;
}

/// Codes of a file, or their first bits.
struct Codes {
  const MappedCodes& file;
  Index bits;
  Index rows() const { return file.rows(); }
  std::vector<std::uint64_t> row(Index i) const { return first_bits(file.row(i), bits); }
};

/// Calls `take` with blocks of codes in the chosen form.
void for_blocks(const Codes& codes, const Form& form, BitOrder order,
                const ProgressCallback& on_progress,
                const std::function<void(const std::string& block)>& take) {
  std::string block;
  for (Index row = 0; row < codes.rows(); ++row) {
    if (row % kBlock == 0) {
      report(on_progress, {"converting", to_double(row), to_double(codes.rows()), ""});
      take(block);
      block.clear();
    }
    const std::vector<std::uint64_t> code = codes.row(row);
    switch (form.content) {
      case Form::Content::bytes:
        append_bytes(code, codes.bits, order, block);
        break;
      case Form::Content::signed_bytes:
        append_signed_bytes(code, codes.bits, block);
        break;
      case Form::Content::words:
        block.append(reinterpret_cast<const char*>(code.data()), 8 * code.size());
        break;
      case Form::Content::hex:
        append_hex(code, codes.bits, order, block);
        break;
      case Form::Content::bit_text:
        append_bit_text(code, codes.bits, block);
        break;
      case Form::Content::code_file:
        break;
    }
    if (form.content == Form::Content::hex || form.content == Form::Content::bit_text) {
      block += '\n';
    }
  }
  take(block);
  report(on_progress, {"converting", to_double(codes.rows()), to_double(codes.rows()), ""});
}

void write_text(const std::string& path, const Codes& codes, const Form& form, BitOrder order,
                const ProgressCallback& on_progress) {
  AtomicFile file(path);
  for_blocks(codes, form, order, on_progress,
             [&file](const std::string& block) { file.write(block); });
  file.commit();
}

void write_array(const std::string& path, const Codes& codes, const Form& form, BitOrder order,
                 const ProgressCallback& on_progress) {
  const bool words = form.content == Form::Content::words;
  const char* const descr = words                                         ? "<u8"
                            : form.content == Form::Content::signed_bytes ? "|i1"
                                                                          : "|u1";
  NpyWriter file(path, descr, words ? 8 : 1, words ? (codes.bits + 63) / 64 : (codes.bits + 7) / 8);
  for_blocks(codes, form, order, on_progress, [&file](const std::string& block) {
    file.append(std::as_bytes(std::span(block.data(), block.size())));
  });
  file.finish();
}

void write_code_file(const std::string& path, const Codes& codes,
                     const ProgressCallback& on_progress) {
  CodeFileWriter file(path, codes.bits, codes.file.model());
  for (Index row = 0; row < codes.rows(); row += kBlock) {
    report(on_progress, {"converting", to_double(row), to_double(codes.rows()), ""});
    const Index count = std::min(kBlock, codes.rows() - row);
    std::vector<std::uint64_t> words;
    for (Index i = row; i < row + count; ++i) {
      std::ranges::copy(codes.row(i), std::back_inserter(words));
    }
    file.append(CodeMatrix(count, codes.bits, std::move(words)));
  }
  file.finish();
}

/// Arrays, text or a code file.
void write(const ConvertOptions& options, const Codes& codes, BitOrder order,
           const ProgressCallback& on_progress) {
  switch (options.form->content) {
    case Form::Content::code_file:
      return write_code_file(options.out, codes, on_progress);
    case Form::Content::hex:
    case Form::Content::bit_text:
      return write_text(options.out, codes, *options.form, order, on_progress);
    default:
      return write_array(options.out, codes, *options.form, order, on_progress);
  }
}

void run(const ConvertOptions& options, const Session& session) {
  if (options.form == nullptr) {
    fail(Errc::usage, "--to is required; structhash convert --help lists the formats");
  }
  const Form& form = *options.form;
  const BitOrder order = order_of(options);
  const MappedCodes codes(options.codes);
  const Index bits = options.bits > 0 ? options.bits : codes.bits();
  require(bits <= codes.bits(),
          fmt::format("{} has codes of {} bits; --bits must be 1 to {}, got {}", options.codes,
                      codes.bits(), codes.bits(), bits));
  require(!form.whole_bytes || bits % 8 == 0,
          fmt::format(
              "{} takes multiples of 8 bits only, but {} {} of {}; use --to npy, which pads "
              "with zeros",
              form.name, options.codes, options.bits > 0 ? "is cut to codes" : "has codes", bits));
  ProgressDisplay display(session.color);
  write(options, {codes, bits}, order, display.callback());
  display.clear();
  if (session.json) {
    const nlohmann::ordered_json json{{"codes", options.codes},
                                      {"out", options.out},
                                      {"to", form.name},
                                      {"bit_order", order == BitOrder::little ? "little" : "big"},
                                      {"rows", codes.rows()},
                                      {"bits", bits},
                                      {"version", STRUCTHASH_VERSION}};
    print_data(json_text(json));
  } else {
    print_data(fmt::format("{} codes of {} bits written to {} as {}\n", codes.rows(), bits,
                           options.out, form.name));
  }
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  Command command(app, "convert", "Convert codes to the format of another system",
                  "  structhash convert --codes codes.shc --to faiss --out codes.npy\n"
                  "  structhash convert --codes codes.shc --to pgvector --out codes.txt\n"
                  "  structhash convert --codes codes.shc --to npy --bitorder big --out codes.npy\n"
                  "  structhash convert --codes codes.shc --to shc --bits 32 --out short.shc\n");
  auto options = std::make_shared<ConvertOptions>();
  command.input({"--codes", "FILE", "Code file"}, options->codes, Need::required);
  command.word({"--to", "NAME",
                "faiss, npy, ubinary (arrays of bytes), binary (signed bytes), uint64 (array of "
                "words), hex, pgvector (one line per code), shc (code file)"},
               [options](const std::string& word) { options->form = &form_named(word); });
  command.output({"--out", "FILE", "File to write"}, options->out, Need::required);
  command.number({"--bits", "N", "Keep the first N bits of the codes alone"}, options->bits, 1);
  command.word({"--bitorder", "NAME",
                "Bit of a byte that comes first, for npy and hex: little, the least significant "
                "(default), or big"},
               [options](const std::string& word) {
                 options->order = choose(
                     "--bitorder", word,
                     std::array{Choice{"little", BitOrder::little}, Choice{"big", BitOrder::big}});
               });
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
