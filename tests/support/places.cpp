#include "support/places.hpp"

namespace structhash::test {

std::string in_repository(const std::string& path) {
  return STRUCTHASH_SOURCE_DIR "/" + path;
}

std::string in_shared_data(const std::string& path) {
  const std::string folder = STRUCTHASH_SOURCE_DIR "/../shared/data";
  return path.empty() ? folder : folder + "/" + path;
}

}  // namespace structhash::test
