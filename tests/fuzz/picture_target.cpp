#include "features/decode.hpp"
#include "fuzz/expect.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"

/// PNG and JPEG images: libpng and TurboJPEG decode, the sizes they report are ours to check.
namespace structhash::fuzz {

void read_picture(Bytes bytes) {
  const MemoryFile file(bytes);
  result_or_error([&] {
    const features::Picture picture = features::read_picture(file.path());
    expect(std::ssize(picture.pixels) == picture.height * picture.width * picture.channels,
           "an image with too few pixels");
  });
}

}  // namespace structhash::fuzz
