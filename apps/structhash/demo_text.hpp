#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluation/retrieval_task.hpp"
#include "structhash/report/report_page.hpp"

/// What `structhash demo` says about its results: tables, JSON, and the facts of its page.
namespace structhash::cli {

/// The results on one data set.
struct Comparison {
  const RetrievalTask* task = nullptr;
  std::vector<DetailedRow> rows{};
};

std::string digits_text(const Comparison& digits, Index bits, bool color);
std::string questions_text(const Comparison& questions, bool color);
std::string demo_json(std::span<const Comparison> comparisons, Index bits);

/// The protocol of each data set, in words.
std::vector<std::pair<std::string, std::string>> demo_facts(
    std::span<const Comparison> comparisons);

}  // namespace structhash::cli
