#pragma once

#include <functional>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/relevance/builders.hpp"

/// Shared by the builders: the loop over queries, and the counts of queries without a list.
namespace structhash {

struct QueryLists {
  std::vector<RelevanceList> lists;
  bool has_relevant = false;
  bool has_irrelevant = false;
};

/// The list of one query, present when it has both kinds of items.
QueryLists single_list(Index query, std::vector<Index> relevant, std::vector<Index> irrelevant);

/// The queries of the options, or 0..available-1.  Throws unless the options are valid and every
/// query exists, once.
std::vector<Index> chosen_queries(const ListOptions& options, Index available);

/// Calls make(query, rng) for every query, in parallel, each with the query's own stream.
std::vector<QueryLists> for_each_query(
    const std::vector<Index>& queries, Seed seed, Threads threads,
    const std::function<QueryLists(Index query, Rng& rng)>& make);

/// Joins the lists in query order; throws if there is none.
BuiltLists collect(std::vector<QueryLists> per_query);

}  // namespace structhash
