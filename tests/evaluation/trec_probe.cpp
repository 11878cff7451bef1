#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "structhash/core/error.hpp"
#include "structhash/evaluation/evaluate.hpp"

/// trec_probe RUN QRELS MEASURE...: our measures of a TREC run, as JSON, one object per query that
/// has a relevant item: {"query": {"map": 0.5, ...}, ...}.  Items the run does not name were not
/// found.  Made for tests/python/test_against_trec.py.
namespace {

using structhash::Index;

/// The words of each line of a file.
std::vector<std::vector<std::string>> read_words(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    lines.emplace_back(std::istream_iterator<std::string>(words),
                       std::istream_iterator<std::string>());
  }
  return lines;
}

int run(const std::vector<std::string>& arguments) {
  const auto run_lines = read_words(arguments.at(0));
  std::set<std::string> query_names;
  std::set<std::string> item_names;
  std::map<std::pair<std::string, std::string>, double> scores;
  for (const auto& words : run_lines) {  // query Q0 item rank score tag
    query_names.insert(words.at(0));
    item_names.insert(words.at(2));
    scores[{words.at(0), words.at(2)}] = std::stod(words.at(4));
  }
  for (const auto& words : read_words(arguments.at(1))) {  // query 0 item grade
    query_names.insert(words.at(0));
    item_names.insert(words.at(2));
  }
  const auto queries = structhash::RowIds::listed({query_names.begin(), query_names.end()});
  const auto items = structhash::RowIds::listed({item_names.begin(), item_names.end()});
  const auto truth = structhash::GroundTruth::from_judgments(
      structhash::read_qrels(arguments.at(1), queries, items));
  const std::vector<std::string> measures(arguments.begin() + 2, arguments.end());
  const auto result = structhash::evaluate_rankings(
      [&](Index query, std::span<double> distances) {
        for (std::size_t i = 0; i < distances.size(); ++i) {
          const auto found = scores.find({queries.id(query), items.id(static_cast<Index>(i))});
          distances[i] = found == scores.end() ? INFINITY : -found->second;
        }
      },
      truth, measures, {});
  nlohmann::json per_query = nlohmann::json::object();
  for (Index query = 0; query < queries.rows(); ++query) {
    for (std::size_t measure = 0; measure < result.measures.size(); ++measure) {
      const double value = result.per_query(query, static_cast<Index>(measure));
      if (!std::isnan(value)) {
        per_query[queries.id(query)][result.measures[measure]] = value;
      }
    }
  }
  std::cout << per_query.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "trec_probe RUN QRELS MEASURE...: " << error.what() << '\n';
    return 1;
  }
}
