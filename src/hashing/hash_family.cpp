#include "hashing/hash_family.hpp"

#include "structhash/core/error.hpp"

namespace structhash {

std::vector<std::int8_t> HashFamily::signs(const HashFunction& /*function*/,
                                           const PairForm& /*form*/, Threads /*threads*/) const {
  fail(Errc::usage, "only linear and kernel functions learn from rows cut into shards");
}

}  // namespace structhash
