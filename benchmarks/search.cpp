#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "search/scan/flat_scan.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/hashing/encoder.hpp"

/// Our side of benchmarks/search_faiss.py, which sends commands, one per line, and measures Faiss
/// in turns with us:
///
///   load CODES QUERIES WEIGHTS BITS     files of packed codes and of float weights
///   time plain|weighted batch|one THREADS   seconds for all queries, k = 100
///   answers FILE                        distances of the last search, float32
///   check plain|weighted                wrong lists among a few, against the naive scan
///   load-features FEATURES DIRECTIONS DIMENSION   float32 files, for a linear encoder
///   encode THREADS                      seconds to encode the features
///   codes FILE                          the codes of the last encoding
///   target                              the instruction set in use
///
/// With the option --without-avx512 the program runs as on a processor that has AVX2 at best.
namespace structhash::bench {
namespace {

constexpr Index kNeighbours = 100;
constexpr Index kCheckedQueries = 3;

template <typename T>
std::vector<T> read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

CodeMatrix read_codes(const std::string& path, Index bits) {
  std::vector<std::uint64_t> words = read_all<std::uint64_t>(path);
  const Index rows = std::ssize(words) / ((bits + 63) / 64);
  return CodeMatrix(rows, bits, std::move(words));
}

class Session {
 public:
  void load(std::istream& words) {
    std::string codes;
    std::string queries;
    std::string weights;
    Index bits = 0;
    words >> codes >> queries >> weights >> bits;
    codes_ = read_codes(codes, bits);
    queries_ = read_codes(queries, bits);
    weights_ = read_all<float>(weights);
    plain_ = search::make_flat_scan(codes_);
    weighted_ = search::make_flat_scan(codes_, weights_);
  }

  double time(std::istream& words) {
    std::string kind;
    std::string how;
    SearchOptions options;
    words >> kind >> how >> options.threads;
    const auto start = std::chrono::steady_clock::now();
    if (how == "batch") {
      found_ = engine(kind).nearest(queries_, kNeighbours, options);
    } else {
      found_.clear();
      for (Index i = 0; i < queries_.rows(); ++i) {
        const CodeSpan one(queries_.row(i), 1, queries_.bits());
        found_.push_back(engine(kind).nearest(one, kNeighbours, options)[0]);
      }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void load_features(std::istream& words) {
    std::string features;
    std::string directions;
    Index dimension = 0;
    words >> features >> directions >> dimension;
    const std::vector<float> x = read_all<float>(features);
    const std::vector<float> v = read_all<float>(directions);
    features_ = Eigen::Map<const Matrix<float>>(x.data(), std::ssize(x) / dimension, dimension);
    const Matrix<float> rows =
        Eigen::Map<const Matrix<float>>(v.data(), std::ssize(v) / dimension, dimension);
    encoder_ = LinearEncoder{rows, Vector<float>::Zero(rows.rows())};
  }

  double encode_all(std::istream& words) {
    int threads = 1;
    words >> threads;
    const auto start = std::chrono::steady_clock::now();
    codes_ = encode(encoder_, features_, threads);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void write_codes(std::istream& words) const {
    std::string path;
    words >> path;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(codes_.words().data()),
               static_cast<std::streamsize>(codes_.words().size_bytes()));
  }

  void answers(std::istream& words) const {
    std::string path;
    words >> path;
    std::ofstream file(path, std::ios::binary);
    for (const std::vector<Neighbour>& list : found_) {
      for (const Neighbour& neighbour : list) {
        file.write(reinterpret_cast<const char*>(&neighbour.distance), sizeof(float));
      }
    }
  }

  Index check(std::istream& words) const {
    std::string kind;
    words >> kind;
    const WeightTable table(weights_);
    Index wrong = 0;
    for (Index query = 0; query < kCheckedQueries; ++query) {
      std::vector<Neighbour> all;
      for (Index row = 0; row < codes_.rows(); ++row) {
        const float distance =
            kind == "plain" ? static_cast<float>(hamming(queries_.row(query), codes_.row(row)))
                            : table.distance(queries_.row(query), codes_.row(row));
        all.push_back({distance, row});
      }
      std::partial_sort(all.begin(), all.begin() + kNeighbours, all.end());
      all.resize(kNeighbours);
      const CodeSpan one(queries_.row(query), 1, queries_.bits());
      wrong += engine(kind).nearest(one, kNeighbours, {})[0] != all ? 1 : 0;
      wrong += found_[static_cast<std::size_t>(query)] != all ? 1 : 0;
    }
    return wrong;
  }

 private:
  const SearchEngine& engine(const std::string& kind) const {
    return kind == "plain" ? *plain_ : *weighted_;
  }

  Matrix<float> features_;
  LinearEncoder encoder_;
  CodeMatrix codes_;
  CodeMatrix queries_;
  std::vector<float> weights_;
  std::unique_ptr<SearchEngine> plain_;
  std::unique_ptr<SearchEngine> weighted_;
  Neighbours found_;
};

/// Asking Highway 1.0 what is supported makes it choose among all targets again; not so here.
std::int64_t choose_targets() {
  const std::int64_t supported = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(supported);
  return supported;
}

std::string answer(Session& session, const std::string& line) {
  std::istringstream words(line);
  std::string command;
  words >> command;
  if (command == "load") {
    session.load(words);
  } else if (command == "time") {
    return fmt::format("{}", session.time(words));
  } else if (command == "load-features") {
    session.load_features(words);
  } else if (command == "encode") {
    return fmt::format("{}", session.encode_all(words));
  } else if (command == "codes") {
    session.write_codes(words);
  } else if (command == "answers") {
    session.answers(words);
  } else if (command == "check") {
    return fmt::format("{}", session.check(words));
  } else if (command == "target") {
    const std::int64_t supported = choose_targets();
    return hwy::TargetName(supported & -supported);
  } else {
    return "unknown command";
  }
  return "done";
}

}  // namespace
}  // namespace structhash::bench

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--without-avx512") {
    hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
  }
  structhash::bench::Session session;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << structhash::bench::answer(session, line) << std::endl;
  }
}
