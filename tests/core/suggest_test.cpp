#include "core/suggest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace structhash {
namespace {

constexpr std::array<std::string_view, 4> kKnown{"structhash", "lsh", "itq", "spectral"};

TEST(Suggest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(closest_name("lhs", kKnown), "lsh");  // swapped neighbours
  EXPECT_EQ(closest_name("lsh", kKnown), "lsh");
  EXPECT_EQ(closest_name("structash", kKnown), "structhash");  // one letter missing
  EXPECT_EQ(closest_name("spektral", kKnown), "spectral");     // one wrong
  EXPECT_EQ(closest_name("strcuthashh", kKnown), "structhash");
  EXPECT_EQ(closest_name("pca", kKnown), "");
  EXPECT_EQ(closest_name("", kKnown), "");
  EXPECT_EQ(closest_name("lsh", {}), "");
}

TEST(Suggest, ListsTheKnownNamesInOrder) {
  EXPECT_EQ(unknown_name("method", "lhs", kKnown),
            "unknown method 'lhs'; did you mean 'lsh'? Known: itq, lsh, spectral, structhash");
  EXPECT_EQ(unknown_name("method", "pca", kKnown),
            "unknown method 'pca'. Known: itq, lsh, spectral, structhash");
  EXPECT_EQ(unknown_name("option", "x", {}), "unknown option 'x'; there are none");
}

}  // namespace
}  // namespace structhash
