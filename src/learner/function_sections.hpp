#pragma once

#include <span>
#include <vector>

#include "hashing/hash_family.hpp"
#include "structhash/core/container.hpp"

/// Learned one-bit functions, before a family folds them into an encoder, as sections of a file.
namespace structhash {

/// All functions must be of one kind.
void save_functions(ContainerWriter& file, std::span<const LearnedBit> bits);

/// `bits` of them; signs and edges are left empty.
std::vector<LearnedBit> load_functions(const Container& file, Index bits);

}  // namespace structhash
