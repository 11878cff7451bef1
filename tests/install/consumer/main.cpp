// What a user of the installed library writes: make a model, encode, compare.
#include <structhash/structhash.hpp>

#include <iostream>

int main() {
  structhash::LinearEncoder encoder{
      .directions = structhash::Matrix<float>{{1.0F, 0.0F}, {0.0F, 1.0F}, {1.0F, 1.0F}},
      .offsets = structhash::Vector<float>::Zero(3)};
  structhash::HashModel model;
  model.method = "by hand";
  model.parameters = "{}";
  model.encoder = encoder;
  structhash::Matrix<float> points{{1.0F, 1.0F}, {-1.0F, -1.0F}};
  const structhash::CodeMatrix codes = structhash::encode(model, points, /*threads=*/1);
  const auto distance = structhash::hamming(codes.row(0), codes.row(1));
  std::cout << "opposite points differ in " << distance << " of 3 bits\n";
  return distance == 3 ? 0 : 1;
}
