#include "learner/function_sections.hpp"

#include <algorithm>
#include <utility>

#include "hashing/sections.hpp"

namespace structhash {
namespace {

void ensure(const Container& file, bool condition) {
  if (!condition) {
    file.fail_corrupt("the functions of its bits are not valid");
  }
}

void save(ContainerWriter& file, std::span<const LearnedBit> bits, const LinearFunction& first) {
  std::vector<double> directions;
  std::vector<double> offsets;
  for (const LearnedBit& bit : bits) {
    const auto& function = std::get<LinearFunction>(bit.function);
    directions.insert(directions.end(), function.direction.begin(), function.direction.end());
    offsets.push_back(function.offset);
  }
  const auto columns = static_cast<std::size_t>(first.direction.size());
  file.add("linear", std::span<const double>(directions), columns);
  file.add("linear-offsets", std::span<const double>(offsets));
}

std::vector<LearnedBit> load_linear(const Container& file, Index bits) {
  const Section& section = file.section("linear", ElementType::f64);
  const double* direction = file.array<double>("linear").data();
  const auto offsets = file.array<double>("linear-offsets");
  ensure(file, std::cmp_equal(section.rows, bits) && std::ssize(offsets) == bits);
  const auto columns = static_cast<Index>(section.columns);
  std::vector<LearnedBit> loaded(static_cast<std::size_t>(bits));
  for (std::size_t bit = 0; bit < loaded.size(); ++bit, direction += columns) {
    loaded[bit].function = LinearFunction{
        .direction = Eigen::Map<const Vector<double>>(direction, columns), .offset = offsets[bit]};
  }
  return loaded;
}

void save(ContainerWriter& file, std::span<const LearnedBit> bits, const StumpFunction& /*first*/) {
  std::vector<std::int64_t> columns;
  std::vector<float> thresholds;
  for (const LearnedBit& bit : bits) {
    const auto& function = std::get<StumpFunction>(bit.function);
    columns.push_back(function.column);
    thresholds.push_back(function.threshold);
  }
  file.add("stump", std::span<const std::int64_t>(columns));
  file.add("stump-thresholds", std::span<const float>(thresholds));
}

std::vector<LearnedBit> load_stumps(const Container& file, Index bits) {
  const auto columns = file.array<std::int64_t>("stump");
  const auto thresholds = file.array<float>("stump-thresholds");
  ensure(file, std::ssize(columns) == bits && std::ssize(thresholds) == bits);
  std::vector<LearnedBit> loaded(columns.size());
  for (std::size_t bit = 0; bit < loaded.size(); ++bit) {
    loaded[bit].function = StumpFunction{.column = columns[bit], .threshold = thresholds[bit]};
  }
  return loaded;
}

/// Trees of all bits one after another; the first section says how deep they are and how many.
void save(ContainerWriter& file, std::span<const LearnedBit> bits, const TreeFunction& /*first*/) {
  std::vector<std::int64_t> shapes;
  TreeTable all;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const LearnedBit& bit : bits) {
    const TreeTable& trees = std::get<TreeFunction>(bit.function).trees;
    shapes.insert(shapes.end(), {trees.depth, trees.trees()});
    append(all.columns, trees.columns);
    append(all.thresholds, trees.thresholds);
    append(all.leaves, trees.leaves);
  }
  file.add("tree", std::span<const std::int64_t>(shapes), 2);
  file.add("tree-columns", std::span<const std::int32_t>(all.columns));
  file.add("tree-thresholds", std::span<const float>(all.thresholds));
  file.add("tree-leaves", std::span<const float>(all.leaves));
}

template <typename T>
std::vector<T> take(const Container& file, std::span<const T>& from, Index count) {
  ensure(file, count <= std::ssize(from));
  const auto taken = from.first(static_cast<std::size_t>(count));
  from = from.subspan(taken.size());
  return {taken.begin(), taken.end()};
}

std::vector<LearnedBit> load_trees(const Container& file, Index bits) {
  constexpr std::int64_t kMaxDepth = 30;
  const auto shapes = file.array<std::int64_t>("tree");
  auto columns = file.array<std::int32_t>("tree-columns");
  auto thresholds = file.array<float>("tree-thresholds");
  auto leaves = file.array<float>("tree-leaves");
  ensure(file, std::ssize(shapes) == 2 * bits);
  std::vector<LearnedBit> loaded(static_cast<std::size_t>(bits));
  for (std::size_t bit = 0; bit < loaded.size(); ++bit) {
    TreeTable trees{.depth = shapes[2 * bit], .columns = {}, .thresholds = {}, .leaves = {}};
    const std::int64_t count = shapes[2 * bit + 1];
    ensure(file, trees.depth >= 0 && trees.depth <= kMaxDepth && count >= 0 &&
                     count <= std::ssize(leaves) / trees.leaves_per_tree());
    trees.columns = take(file, columns, count * (trees.leaves_per_tree() - 1));
    trees.thresholds = take(file, thresholds, count * (trees.leaves_per_tree() - 1));
    trees.leaves = take(file, leaves, count * trees.leaves_per_tree());
    loaded[bit].function = TreeFunction{std::move(trees)};
  }
  return loaded;
}

}  // namespace

void save_functions(ContainerWriter& file, std::span<const LearnedBit> bits) {
  std::visit([&](const auto& first) { save(file, bits, first); }, bits[0].function);
}

std::vector<LearnedBit> load_functions(const Container& file, Index bits) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(file.sections(), name, &Section::name) != file.sections().end();
  };
  if (has("linear")) {
    return load_linear(file, bits);
  }
  return has("stump") ? load_stumps(file, bits) : load_trees(file, bits);
}

}  // namespace structhash
