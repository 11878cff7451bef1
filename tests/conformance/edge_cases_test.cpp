#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>

#include "conformance/method_names.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"
#include "support/temporary_folder.hpp"
#include "support/tiny_datasets.hpp"

/// Data at the edge of what arithmetic can do, for every method of the table: a model that is sound
/// or an error that says why not, never a model with a number that is not finite.
namespace structhash {
namespace {

using test::gaussian_clusters;

struct EdgeCase {
  std::string name;
  std::function<TrainingSet()> make;
};

TrainingSet clusters() {
  return gaussian_clusters(Seed{5}, {.clusters = 3, .rows_per_cluster = 12, .dimension = 6});
}

TrainingSet changed(const std::function<void(TrainingSet&)>& change) {
  TrainingSet data = clusters();
  change(data);
  return data;
}

TrainingSet scaled(float scale) {
  return changed([&](TrainingSet& data) { data.x *= scale; });
}

/// The first rows, with the lists that are left of them.
TrainingSet first_rows(Index rows) {
  TrainingSet data = clusters();
  data.x = Matrix<float>(data.x.topRows(rows));
  data.labels.classes.resize(static_cast<std::size_t>(rows));
  const auto gone = [&](Index item) { return item >= rows; };
  for (RelevanceList& list : data.lists) {
    std::erase_if(list.relevant, gone);
    std::erase_if(list.irrelevant, gone);
  }
  std::erase_if(data.lists, [&](const RelevanceList& list) {
    return gone(list.query) || list.relevant.empty() || list.irrelevant.empty();
  });
  return data;
}

std::vector<EdgeCase> edge_cases() {
  return {
      {"constant columns",
       [] {
         return changed([](TrainingSet& data) {
           data.x.col(1).setConstant(7.0F);
           data.x.col(4).setZero();
         });
       }},
      {"one column that is not constant",
       [] { return changed([](TrainingSet& data) { data.x.rightCols(5).setConstant(-2.0F); }); }},
      {"all rows equal",
       [] { return changed([](TrainingSet& data) { data.x.setConstant(3.25F); }); }},
      {"all zero", [] { return changed([](TrainingSet& data) { data.x.setZero(); }); }},
      {"every row twelve times",
       [] {
         return changed([](TrainingSet& data) {
           for (Index row = 3; row < data.x.rows(); ++row) {
             data.x.row(row) = data.x.row(row % 3);
           }
         });
       }},
      {"equal rows in different classes",
       [] {
         return changed([](TrainingSet& data) {
           for (Index row = 0; row < data.x.rows(); ++row) {
             data.x.row(row) = data.x.row(row / 3 * 3);
           }
         });
       }},
      {"collinear columns",
       [] {
         return changed([](TrainingSet& data) {
           for (Index column = 1; column < data.x.cols(); ++column) {
             data.x.col(column) = static_cast<float>(column) * data.x.col(0);
           }
         });
       }},
      {"scale 1e-14", [] { return scaled(1e-14F); }},
      {"scale 1e13", [] { return scaled(1e13F); }},
      {"scale 1e-30", [] { return scaled(1e-30F); }},
      {"scale 1e30", [] { return scaled(1e30F); }},
      {"scale 1e-42, below normal numbers", [] { return scaled(1e-42F); }},
      {"near the largest float",
       [] {
         return changed([](TrainingSet& data) {
           data.x = data.x.unaryExpr([](float v) { return v > 0.0F ? 3e38F : -3e38F; }).eval();
         });
       }},
      {"columns of different scales",
       [] {
         return changed([](TrainingSet& data) {
           data.x.col(0) *= 1e30F;
           data.x.col(1) *= 1e-30F;
         });
       }},
      {"one far row", [] { return changed([](TrainingSet& data) { data.x.row(7) *= 1e12F; }); }},
      {"one row out of range",
       [] { return changed([](TrainingSet& data) { data.x.row(7) *= 1e30F; }); }},
      {"a large common offset",
       [] { return changed([](TrainingSet& data) { data.x.array() += 1e7F; }); }},
      {"one class per row",
       [] {
         return changed([](TrainingSet& data) {
           for (std::size_t row = 0; row < data.labels.classes.size(); ++row) {
             data.labels.classes[row] = static_cast<int>(row);
           }
         });
       }},
      {"one row", [] { return first_rows(1); }},
      {"two rows", [] { return first_rows(2); }},
      {"three rows", [] { return first_rows(3); }},
      {"four rows", [] { return first_rows(4); }},
  };
}

class EdgeCases : public testing::TestWithParam<MethodEntry> {};

void expect_sound(const HashModel& model, const TrainingSet& data) {
  EXPECT_NO_THROW(check(model));  // every number is finite
  const test::TemporaryFolder folder;
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
  const CodeMatrix codes = encode(model, data.x, 1);
  EXPECT_EQ(codes.rows(), data.x.rows());
  for (Index row = 1; row < data.x.rows(); ++row) {  // equal rows have equal codes
    if (data.x.row(row) == data.x.row(0)) {
      EXPECT_TRUE(std::ranges::equal(codes.row(row), codes.row(0)));
    }
  }
}

TEST_P(EdgeCases, GiveASoundModelOrAnError) {
  for (const EdgeCase& edge : edge_cases()) {
    SCOPED_TRACE(edge.name);
    const TrainingSet data = edge.make();
    try {
      expect_sound(GetParam().make(MethodOptions{.bits = 4})->fit(data, {}), data);
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == Errc::bad_data || error.code() == Errc::usage ||
                  error.code() == Errc::solver_failure)
          << error.what();
      EXPECT_GE(std::string(error.what()).size(), 15U) << "too short: " << error.what();
      std::cout << GetParam().name << ", " << edge.name << ": " << error.what() << '\n';
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EdgeCases, testing::ValuesIn(methods().begin(), methods().end()),
                         test::method_name);

}  // namespace
}  // namespace structhash
