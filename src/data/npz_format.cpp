#include <fmt/format.h>

#include "data/formats.hpp"
#include "data/zip_member.hpp"

/// NumPy's .npz: a zip archive of .npy files, spelled file.npz:name.
namespace structhash::data {
namespace {

using Arrays = std::vector<ZipMember>;

std::string array_name(const ZipMember& member) {
  const std::string& name = member.name;
  return name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
}

bool has_columns(const std::string& file, const ZipMember& member) {
  try {
    return !read_npy(std::make_unique<ByteSource>(file, member))->shape().is_list;
  } catch (const Error&) {  // Python objects, for example
    return false;
  }
}

/// The array with this name; without one the only array, or the only one with rows and columns.
Arrays candidates(const std::string& file, const std::string& wanted, Arrays arrays) {
  if (!wanted.empty()) {
    std::erase_if(arrays, [&](const ZipMember& member) { return array_name(member) != wanted; });
  } else if (arrays.size() > 1) {
    std::erase_if(arrays, [&](const ZipMember& member) { return !has_columns(file, member); });
  }
  return arrays;
}

}  // namespace

std::unique_ptr<TableReader> open_npz(const std::string& path) {
  const std::size_t ending = path.rfind(".npz:");
  const bool named = ending != std::string::npos;
  const std::string file = named ? path.substr(0, ending + 4) : path;
  const std::string wanted = named ? path.substr(ending + 5) : "";
  const Arrays all = zip_members(file);
  const Arrays found = candidates(file, wanted, all);
  if (found.size() != 1) {
    std::string names;
    for (const ZipMember& member : all) {
      names += " " + array_name(member);
    }
    fail(Errc::bad_data, fmt::format("{}: {}; the file holds:{}", path,
                                     named ? fmt::format("there is no array '{}'", wanted)
                                           : "name the array, as in file.npz:name",
                                     names.empty() ? " nothing" : names));
  }
  return read_npy(std::make_unique<ByteSource>(file, found.front()));
}

}  // namespace structhash::data
