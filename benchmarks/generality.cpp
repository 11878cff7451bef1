#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "structhash/core/rng.hpp"
#include "structhash/data/sparse_rows.hpp"
#include "support/places.hpp"
#include "training.hpp"
#include "two_views.hpp"

/// Data outside ten classes of dense vectors: training time in gemms (gemm.hpp) on two threads,
/// quality, and the memory of the process, each against its bar.
///   bench_generality            all of them
///   bench_generality NAME       wide, sparse, nested, classes or views
///   bench_generality views A B  of seeds A to B
namespace structhash::bench {
namespace {

double peak_gibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

bool print_row(const std::string& what, double value, double bar, const std::string& unit,
               bool passed) {
  fmt::print("{:<58} {:9.3f} {:<5} bar {:8.3f}  {}\n", what, value, unit, bar,
             passed ? "pass" : "FAIL");
  std::fflush(stdout);
  return passed;
}

bool print_bar(const std::string& what, double value, double bar, const std::string& unit) {
  return print_row(what, value, bar, unit, value <= bar);
}

/// Classes that differ in a tenth of the features.
Dataset wide_rows(Index rows, Index dimension, Index classes) {
  Rng rng(Seed{7});
  const Matrix<float> centres = Matrix<float>::NullaryExpr(
      classes, dimension / 10, [&] { return static_cast<float>(rng.normal()); });
  Dataset data{.name = "wide", .features = Matrix<float>(rows, dimension), .labels = {}};
  for (Index row = 0; row < rows; ++row) {
    data.labels.classes.push_back(static_cast<int>(row % classes));
    for (float& value : data.features.row(row)) {
      value = static_cast<float>(rng.normal());
    }
    data.features.row(row).head(centres.cols()) += centres.row(row % classes);
  }
  return data;
}

/// More features than rows: the time is that of rows^2 x features.
bool wide(double gemm) {
  bool passed = true;
  for (const auto& [rows, dimension, bar] : {std::tuple<Index, Index, double>{50, 5'000, 4.0},
                                             {50, 100'000, 8.0},
                                             {2'000, 4'096, 30.0}}) {
    const Dataset data = wide_rows(rows, dimension, 5);
    const Trained trained =
        train(find_method("structhash"), {.bits = 64, .functions = "linear"}, data);
    passed &= print_bar(fmt::format("{} rows x {} features, linear", rows, dimension),
                        trained.seconds / gemm, bar, "gemm");
  }
  return passed;
}

/// Words by Zipf's law, and some that are typical of the class.
SparseRows texts(const std::vector<int>& classes, Index dimension, Index words) {
  Rng rng(Seed{9});
  SparseRows x{.dimension = dimension};
  for (const int label : classes) {
    std::vector<Index> row;
    for (Index word = 0; word < words; ++word) {
      const double rank = std::pow(to_double(dimension), rng.uniform()) - 1.0;
      row.push_back(word % 5 == 0 ? (label * 1'000 + rng.below(200)) % dimension
                                  : static_cast<Index>(rank) % dimension);
    }
    std::ranges::sort(row);
    const auto repeated = std::ranges::unique(row);
    row.erase(repeated.begin(), repeated.end());
    for (const Index column : row) {
      x.columns.push_back(static_cast<std::int32_t>(column));
      x.values.push_back(static_cast<float>(1.0 + rng.uniform()));
    }
    x.starts.push_back(std::ssize(x.columns));
  }
  return x;
}

/// 20,000 rows x 100,000 features with about 100 that are not zero.
bool sparse(double gemm) {
  constexpr Index kRows = 20'000;
  Dataset data{.name = "texts", .features = {}, .labels = {}};
  for (Index row = 0; row < kRows; ++row) {
    data.labels.classes.push_back(static_cast<int>(row % 20));
  }
  const SparseRows x = texts(data.labels.classes, 100'000, 125);
  SparseProjection projection;
  const double learning = seconds_of(wall_seconds, [&] {
    projection = fit_projection(x, 300, Seed{1}, kThreads);
    data.features = project(projection, x, kThreads);
  });
  bool passed = true;
  for (const char* functions : {"linear", "kernel"}) {
    Trained trained = train(find_method("structhash"), {.bits = 64, .functions = functions}, data);
    trained.model.projection = projection;
    passed &= print_bar(fmt::format("20,000 x 100,000 sparse, {:.0f} entries a row, {}",
                                    to_double(std::ssize(x.values)) / to_double(kRows), functions),
                        (learning + trained.seconds) / gemm, 300.0, "gemm");
    const double coding = seconds_of(wall_seconds, [&] { encode(trained.model, x, kThreads); });
    passed &= print_bar("  encoding them", coding / gemm, 24.0, "gemm");
  }
  return print_bar("  peak memory", peak_gibibytes(), 2.0, "GiB") && passed;
}

/// The loss of mAP of the first bits of a model of 64, against a model trained for so many.
bool nested() {
  bool passed = true;
  for (const char* name : {"usps", "banking77"}) {
    const std::string folder = test::in_shared_data(name);
    if (!std::filesystem::exists(folder)) {
      fmt::print("{}: skipped, needs {}\n", name, folder);
      continue;
    }
    const Task task = draw_task(
        load_dataset(std::vector{folder + "/x.npy"}, std::vector{folder + "/y.npy"}, name), 1'000,
        2'000);
    for (const char* functions : {"linear", "kernel"}) {
      const auto fit = [&](Index bits) {
        return train(find_method("structhash"), {.bits = bits, .functions = functions}, task.train)
            .model;
      };
      const HashModel whole = fit(64);
      for (const Index bits : {16, 32, 48}) {
        const double own = mean_average_precision(fit(bits), task);
        const double first = mean_average_precision(truncate(whole, bits), task);
        passed &=
            print_bar(fmt::format("{}, {}: mAP {:.4f} of {} bits less that of the first of 64",
                                  name, functions, own, bits),
                      own - first, 0.025, "");
      }
    }
  }
  return passed;
}

/// mAP of CCA-ITQ, with the ridge that is best for these very queries, which favours it.
double best_cca_itq(const TwoViews& train, const TwoViews& queries, const TwoViews& database,
                    bool by_labels, Seed seed) {
  double best = 0.0;
  for (const double ridge : {1e-4, 1e-3, 1e-2, 1e-1}) {
    best = std::max(
        best, cross_map(paired_cca_itq(train, 64, ridge, by_labels, seed), queries, database));
  }
  return best;
}

/// Right halves of images for left halves of other images: two encoders against CCA-ITQ.
bool views(int first, int last) {
  bool passed = true;
  for (const auto& [name, x, y, width] : {std::tuple{"usps", "/x.npy", "/y.npy", Index{16}},
                                          std::tuple{"mnist", "/train-images-idx3-ubyte.gz",
                                                     "/train-labels-idx1-ubyte.gz", Index{28}}}) {
    const std::string folder = test::in_shared_data(name);
    if (!std::filesystem::exists(folder)) {
      fmt::print("{}: skipped, needs {}\n", name, folder);
      continue;
    }
    const Dataset images = load_dataset(std::vector{folder + x}, std::vector{folder + y}, name);
    std::map<std::string, double> sums;
    for (int number = first; number <= last; ++number) {
      const Seed seed{static_cast<std::uint64_t>(number)};
      const Split parts = split(images.size(), 1'000, 2'000, seed);
      const TwoViews train = halves(images.select(parts.train), width);
      const TwoViews queries = halves(images.select(parts.queries), width);
      const TwoViews database = halves(images.select(parts.database), width);
      sums["CCA-ITQ"] += best_cca_itq(train, queries, database, false, seed);
      sums["CCA-ITQ by labels"] += best_cca_itq(train, queries, database, true, seed);
      for (const char* functions : {"linear", "kernel"}) {
        const MethodOptions options{.bits = 64, .measure = "map", .functions = functions};
        const HashModel model =
            find_method("structhash")
                .make(options)
                ->fit(training_set(train, seed), {.seed = seed, .threads = kThreads});
        sums[functions] += cross_map(model, queries, database);
      }
    }
    const double count = last - first + 1;
    for (const char* functions : {"linear", "kernel"}) {
      for (const auto& [reference, bar] :
           {std::pair{"CCA-ITQ", -0.05}, std::pair{"CCA-ITQ by labels", 0.0}}) {
        passed &=
            print_bar(fmt::format("{}, {}: mAP {:.4f} of {} less {:.4f}", name, functions,
                                  sums[reference] / count, reference, sums[functions] / count),
                      (sums[reference] - sums[functions]) / count, bar, "");
      }
    }
  }
  return passed;
}

/// Classes in groups of twenty: those of a group lie near each other.  Row r is of class r mod
/// classes.
Dataset grouped_classes(Index rows, Index classes, Index dimension) {
  Rng rng(Seed{11});
  const auto normal = [&] { return static_cast<float>(rng.normal()); };
  const Matrix<float> groups = Matrix<float>::NullaryExpr(classes / 20, dimension, normal);
  Matrix<float> centres = 0.6F * Matrix<float>::NullaryExpr(classes, dimension, normal);
  for (Index label = 0; label < classes; ++label) {
    centres.row(label) += groups.row(label % groups.rows());
  }
  Dataset data{.name = "classes", .features = Matrix<float>(rows, dimension), .labels = {}};
  for (Index row = 0; row < rows; ++row) {
    data.labels.classes.push_back(static_cast<int>(row % classes));
    for (Index column = 0; column < dimension; ++column) {
      data.features(row, column) = centres(row % classes, column) + 0.8F * normal();
    }
  }
  return data;
}

std::vector<Index> rows_between(Index begin, Index end) {
  std::vector<Index> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

/// Of all threads of the process.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// 10,000 classes of ten training rows; 1,000 queries rank ten other rows of every class.  In gemms
/// of processor time, half of which passes on two threads.
bool classes(double gemm) {
  constexpr Index kClasses = 10'000;
  constexpr Index kRows = 10 * kClasses;
  const Dataset all = grouped_classes(2 * kRows + 1'000, kClasses, 32);
  const Task task{.train = all.select(rows_between(0, kRows)),
                  .database = all.select(rows_between(kRows, 2 * kRows)),
                  .queries = all.select(rows_between(2 * kRows, 2 * kRows + 1'000))};
  const auto run = [&](const char* method, const char* measure) {
    HashModel model;
    const double seconds = seconds_of(processor_seconds, [&] {
      model = train(find_method(method),
                    {.bits = 64,
                     .measure = measure,
                     .functions = "kernel",
                     .extra = {{"anchors", "500"}}},
                    task.train)
                  .model;
    });
    const double quality = mean_average_precision(model, task);
    fmt::print("{:<58} {:9.3f} mAP   {:9.1f} gemm\n", fmt::format("  {}", method), quality,
               seconds / gemm);
    return std::pair{seconds / gemm, quality};
  };
  const auto [time, quality] = run("structhash", "map");
  bool passed = print_bar("10,000 classes x 10 rows, 500 anchors", time, 2'500.0, "gemm");
  passed &= print_bar("  peak memory", peak_gibibytes(), 2.5, "GiB");
  const double best = std::max(run("hcsdh", "").second, run("mihash", "").second);
  return print_row("  mAP less that of the better of the others", quality - best, 0.0, "",
                   quality >= best) &&
         passed;
}

}  // namespace
}  // namespace structhash::bench

int main(int argc, char** argv) {
  using namespace structhash::bench;
  const std::string part = argc > 1 ? argv[1] : "";
  Gemm gemm;
  const double unit = gemm.unit();
  fmt::print("a gemm is {:.3f} s of one thread; training on {} threads\n", unit, kThreads);
  bool passed =
      part.empty() || part == "sparse" ? sparse(unit) : true;  // first: it measures memory
  passed &= part.empty() || part == "wide" ? wide(unit) : true;
  passed &= part.empty() || part == "nested" ? nested() : true;
  passed &= part.empty() || part == "classes" ? classes(unit) : true;
  const int first = argc > 3 ? std::stoi(argv[2]) : 1;
  passed &=
      part.empty() || part == "views" ? views(first, argc > 3 ? std::stoi(argv[3]) : 3) : true;
  return passed ? 0 : 1;
}
