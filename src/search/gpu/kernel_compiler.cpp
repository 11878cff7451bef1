#include "search/gpu/kernel_compiler.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "search/gpu/cuda_driver.hpp"
#include "structhash/core/error.hpp"

namespace structhash::search::gpu {
namespace {

using Program = void*;  // of NVRTC

std::vector<std::string> nvrtc_names() {
  if (const char* chosen = std::getenv("STRUCTHASH_NVRTC")) {
    return {chosen};
  }
  std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                 "libnvrtc.so"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* folder = std::getenv(variable)) {
      names.push_back(std::string(folder) + "/lib64/libnvrtc.so");
    }
  }
  names.emplace_back("/usr/local/cuda/lib64/libnvrtc.so");
  return names;
}

std::vector<std::string> options_of(const KernelForm& form) {
  return {"--gpu-architecture=" + form.architecture, "--std=c++17",
          fmt::format("-DWORDS={}", form.words),
          fmt::format("-DWEIGHTED={}", form.weighted ? 1 : 0)};
}

std::uint64_t text_checksum(std::string_view text) {
  return checksum(std::as_bytes(std::span<const char>(text.data(), text.size())));
}

/// A stored kernel: these numbers, then the machine code.
struct KernelHead {
  std::uint64_t key;  // of source, options and version of the compiler
  std::uint64_t code_checksum;
};

std::vector<char> stored_kernel(const std::string& path, std::uint64_t key) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(in), {}};
  KernelHead head{};
  if (!in || content.size() <= sizeof(head)) {
    return {};
  }
  std::memcpy(&head, content.data(), sizeof(head));
  const std::vector<char> code(content.begin() + sizeof(head), content.end());
  const bool whole =
      head.key == key && head.code_checksum == text_checksum({code.data(), code.size()});
  return whole ? code : std::vector<char>();
}

void store_kernel(const std::string& path, std::uint64_t key, const std::vector<char>& code) {
  try {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    const KernelHead head{.key = key, .code_checksum = text_checksum({code.data(), code.size()})};
    AtomicFile file(path);
    file.write(&head, sizeof(head));
    file.write(code.data(), code.size());
    file.commit();
  } catch (const Error&) {  // compiled again next time
  }
}

}  // namespace

struct KernelCompiler::Library {
  Library()
      : file(nvrtc_names(),
             "the device cuda needs NVRTC, which compiles its kernels and was not found; pip "
             "install "
             "nvidia-cuda-nvrtc-cu12, or set STRUCTHASH_NVRTC to the path of libnvrtc.so, or use "
             "the "
             "device cpu") {
    file.find(version, "nvrtcVersion");
    file.find(count_architectures, "nvrtcGetNumSupportedArchs");
    file.find(architectures, "nvrtcGetSupportedArchs");
    file.find(create, "nvrtcCreateProgram");
    file.find(destroy, "nvrtcDestroyProgram");
    file.find(compile, "nvrtcCompileProgram");
    file.find(code_size, "nvrtcGetCUBINSize");
    file.find(code, "nvrtcGetCUBIN");
    file.find(log_size, "nvrtcGetProgramLogSize");
    file.find(log, "nvrtcGetProgramLog");
  }

  SharedLibrary file;
  int (*version)(int*, int*) = nullptr;
  int (*count_architectures)(int*) = nullptr;
  int (*architectures)(int*) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
};

KernelCompiler::KernelCompiler() : library_(std::make_unique<Library>()) {}
KernelCompiler::~KernelCompiler() = default;

int KernelCompiler::version() const {
  int major = 0;
  int minor = 0;
  library_->version(&major, &minor);
  return 1000 * major + 10 * minor;
}

std::vector<int> KernelCompiler::architectures() const {
  int count = 0;
  library_->count_architectures(&count);
  std::vector<int> all(static_cast<std::size_t>(count));
  library_->architectures(all.data());
  return all;
}

std::vector<char> KernelCompiler::compile(const KernelForm& form) const {
  const Library& nvrtc = *library_;
  Program program = nullptr;
  require_device(nvrtc.create(&program, form.source.c_str(), (form.name + ".cu").c_str(), 0,
                              nullptr, nullptr) == 0,
                 "NVRTC could not start; use the device cpu");
  const auto destroy = [&nvrtc](Program* used) { nvrtc.destroy(used); };
  const std::unique_ptr<Program, decltype(destroy)> guard(&program, destroy);
  std::vector<const char*> options;
  const std::vector<std::string> texts = options_of(form);
  for (const std::string& text : texts) {
    options.push_back(text.c_str());
  }
  std::size_t size = 0;
  if (nvrtc.compile(program, static_cast<int>(options.size()), options.data()) != 0) {
    nvrtc.log_size(program, &size);
    std::string log(size, '\0');
    nvrtc.log(program, log.data());
    throw DeviceError(fmt::format(
        "NVRTC {}.{} could not compile {} for {}; install a newer NVRTC, or "
        "use the device cpu: {}",
        version() / 1000, version() % 1000 / 10, form.name, form.architecture, log.c_str()));
  }
  nvrtc.code_size(program, &size);
  std::vector<char> code(size);
  nvrtc.code(program, code.data());
  return code;
}

std::vector<char> machine_code(const KernelCompiler& compiler, const KernelForm& form,
                               const std::string& folder) {
  if (folder.empty()) {
    return compiler.compile(form);
  }
  std::string identity = fmt::format("{}\n{}\n", compiler.version(), form.source);
  for (const std::string& option : options_of(form)) {
    identity += option + "\n";
  }
  const std::uint64_t key = text_checksum(identity);
  const std::string path = fmt::format("{}/{}-{:016x}.cubin", folder, form.name, key);
  std::vector<char> code = stored_kernel(path, key);
  if (code.empty()) {
    code = compiler.compile(form);
    store_kernel(path, key, code);
  }
  return code;
}

std::string kernel_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return std::string(cache) + "/structhash";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.cache/structhash"
                                          : std::string();
}

}  // namespace structhash::search::gpu
