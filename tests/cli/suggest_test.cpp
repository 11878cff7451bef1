#include "suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace structhash::cli {
namespace {

const std::vector<std::string>& commands() {
  static const std::vector<std::string> kCommands{"train", "encode", "evaluate", "methods",
                                                  "measures"};
  return kCommands;
}

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("train", "trains"), 1);
  EXPECT_EQ(edit_distance("train", "rain"), 1);
  EXPECT_EQ(edit_distance("train", "brain"), 1);
  EXPECT_EQ(edit_distance("train", "trian"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);  // k->s, e->i, +g
}

TEST(Closest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(closest("trian", commands()), "train");
  EXPECT_EQ(closest("evalaute", commands()), "evaluate");
  EXPECT_EQ(closest("eval", commands()), "evaluate");  // a beginning counts as one error
  EXPECT_EQ(closest("measure", commands()), "measures");
}

TEST(Closest, PrefersSilenceToNonsense) {
  EXPECT_EQ(closest("quantise", commands()), "");
  EXPECT_EQ(closest("x", commands()), "");
}

TEST(UnknownName, NamesTheGuessOrTheWholeList) {
  EXPECT_EQ(unknown_name("command", "trian", commands()),
            "unknown command 'trian'; did you mean 'train'?");
  EXPECT_EQ(unknown_name("command", "quantise", commands()),
            "unknown command 'quantise'; known: train, encode, evaluate, methods, measures");
}

}  // namespace
}  // namespace structhash::cli
