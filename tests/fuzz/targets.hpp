#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

/// What is fed with bytes from anywhere.  A target gives them to a reader and looks at what comes
/// back: a structhash::Error, or a value that is sound.  Anything else, another exception, a signal
/// or memory beyond the limit, is a finding.
namespace structhash::fuzz {

using Bytes = std::span<const std::uint8_t>;

void read_container(Bytes bytes);  // models, codes, indexes
void read_npy(Bytes bytes);
void read_idx(Bytes bytes);
void read_vectors(Bytes bytes);  // fvecs, fbin and their relatives
void read_images(Bytes bytes);   // CIFAR and STL-10
void read_csv(Bytes bytes);
void read_libsvm(Bytes bytes);
void read_h5_name(Bytes bytes);  // what follows "file.h5" in a name
void read_qrels(Bytes bytes);    // judgments and lists of names
void read_experiment(Bytes bytes);
void read_results(Bytes bytes);  // result rows, their details, expected values
void read_picture(Bytes bytes);  // PNG and JPEG

struct Target {
  std::string_view name;
  void (*run)(Bytes bytes);
};

/// One line per target; its seeds and the inputs that once failed lie in corpus/NAME.
inline constexpr std::array kTargets{
    Target{"container", read_container},
    Target{"npy", read_npy},
    Target{"idx", read_idx},
    Target{"vectors", read_vectors},
    Target{"images", read_images},
    Target{"csv", read_csv},
    Target{"libsvm", read_libsvm},
    Target{"h5-name", read_h5_name},
    Target{"qrels", read_qrels},
    Target{"experiment", read_experiment},
    Target{"results", read_results},
    Target{"picture", read_picture},
};

}  // namespace structhash::fuzz
