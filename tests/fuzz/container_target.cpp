#include <algorithm>

#include "fuzz/expect.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/reseal.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/hashing/model_io.hpp"
#include "structhash/search/code_index.hpp"

/// Models, codes and indexes.  What is accepted is used: it must encode and search.
namespace structhash::fuzz {
namespace {

constexpr Index kMaxColumns = 1 << 12;
constexpr Index kMaxBits = 1 << 14;

void use(const HashModel& model) {
  if (model.dimension() > kMaxColumns || model.bits() > kMaxBits) {
    return;  // right, but slow
  }
  Matrix<float> x = Matrix<float>::Zero(3, model.dimension());
  x.row(1).setConstant(1.0F);
  x.row(2).setConstant(-3e38F);
  const CodeMatrix codes = encode(model, x, 1);
  require_zero_padding(codes.words(), codes.bits());
}

void use(const CodeIndex& index) {
  if (index.bits() > kMaxBits) {
    return;
  }
  const CodeMatrix query(1, index.bits());
  for (const EngineChoice engine : {EngineChoice::scan, EngineChoice::multi_index}) {
    if (engine == EngineChoice::multi_index && !index.prepared()) {
      continue;
    }
    const SearchResult found =
        index.nearest(query, 3, {.threads = 1, .engine = engine, .only = nullptr});
    expect(std::ssize(found.ids) == std::min<Index>(3, index.size()), "too few neighbours");
  }
}

void read_all(Bytes bytes) {
  const MemoryFile file(bytes);
  result_or_error({Errc::corrupt_file}, [&] { describe_file(file.path()); });
  result_or_error({Errc::corrupt_file}, [&] { use(load_model(file.path())); });
  result_or_error({Errc::corrupt_file}, [&] {
    const CodeMatrix codes = load_codes(file.path());
    require_zero_padding(codes.words(), codes.bits());
  });
  result_or_error({Errc::corrupt_file},
                  [&] { use(CodeIndex::load(file.path(), Verify::everything)); });
  result_or_error({Errc::corrupt_file}, [&] { use(CodeIndex::of_code_file(file.path())); });
}

}  // namespace

void read_container(Bytes bytes) {
  read_all(bytes);
  read_all(reseal(bytes));
}

}  // namespace structhash::fuzz
