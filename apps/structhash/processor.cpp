#include "processor.hpp"

#include <filesystem>

#include "core/text_file.hpp"

namespace structhash::cli {

std::string processor_name() {
  const std::string path = "/proc/cpuinfo";
  if (!std::filesystem::exists(path)) {
    return {};
  }
  const std::string text = read_text(path);
  const auto line = text.find("model name");
  const auto colon = text.find(": ", line);
  if (line == std::string::npos || colon == std::string::npos) {
    return {};
  }
  const auto begin = colon + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace structhash::cli
