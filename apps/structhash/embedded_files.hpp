#pragma once

#include <string>

/// The files of data/ that are compiled into the command, unpacked.
namespace structhash::cli {

std::string digits_csv();
std::string questions_tsv();
std::string embeddings_npy();

}  // namespace structhash::cli
