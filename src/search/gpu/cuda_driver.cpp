#include "search/gpu/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "structhash/core/error.hpp"

namespace structhash::search::gpu {
namespace {

// Of the driver's interface, as documented by NVIDIA ("CUDA Driver API"), what we use.
constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr int kMultiprocessorCount = 16;
constexpr int kMajor = 75;
constexpr int kMinor = 76;
constexpr int kMaxDynamicSharedBytes = 8;
constexpr int kOldestArchitecture = 61;  // the first with sums of products of bytes

}  // namespace

void require_device(bool condition, const std::string& message) {
  if (!condition) {
    throw DeviceError(message);
  }
}

SharedLibrary::SharedLibrary(const std::vector<std::string>& names,
                             std::string_view what_is_missing) {
  std::string reason;
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      name_ = name;
      return;
    }
    if (reason.empty()) {
      reason = dlerror();
    }
  }
  throw DeviceError(fmt::format("{} ({})", what_is_missing, reason));
}

SharedLibrary::~SharedLibrary() {
  dlclose(handle_);
}

void* SharedLibrary::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  require_device(
      address != nullptr,
      fmt::format("{} is too old or no library of NVIDIA: it has no function {}; update it, or "
                  "use the device cpu",
                  name_, name));
  return address;
}

struct CudaGpu::Driver {
  Driver();

  SharedLibrary library;
  int (*init)(unsigned) = nullptr;
  int (*driver_version)(int*) = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*device_attribute)(int*, int, int) = nullptr;
  int (*retain_context)(void**, int) = nullptr;
  int (*release_context)(int) = nullptr;
  int (*set_context)(void*) = nullptr;
  int (*wait)() = nullptr;
  int (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  int (*allocate)(DeviceAddress*, std::size_t) = nullptr;
  int (*free)(DeviceAddress) = nullptr;
  int (*upload)(DeviceAddress, const void*, std::size_t) = nullptr;
  int (*download)(void*, DeviceAddress, std::size_t) = nullptr;
  int (*clear)(DeviceAddress, unsigned char, std::size_t) = nullptr;
  int (*load)(void**, const void*) = nullptr;
  int (*unload)(void*) = nullptr;
  int (*function)(void**, void*, const char*) = nullptr;
  int (*set_attribute)(void*, int, int) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**) = nullptr;
  int (*error_text)(int, const char**) = nullptr;
};

CudaGpu::Driver::Driver()
    : library(
          [] {
            const char* chosen = std::getenv("STRUCTHASH_CUDA_DRIVER");
            return chosen != nullptr ? std::vector<std::string>{chosen}
                                     : std::vector<std::string>{"libcuda.so.1", "libcuda.so"};
          }(),
          "the device cuda needs NVIDIA's driver, which was not found; install it, or use the "
          "device cpu") {
  library.find(init, "cuInit");
  library.find(driver_version, "cuDriverGetVersion");
  library.find(device_count, "cuDeviceGetCount");
  library.find(device_get, "cuDeviceGet");
  library.find(device_name, "cuDeviceGetName");
  library.find(device_attribute, "cuDeviceGetAttribute");
  library.find(retain_context, "cuDevicePrimaryCtxRetain");
  library.find(release_context, "cuDevicePrimaryCtxRelease_v2");
  library.find(set_context, "cuCtxSetCurrent");
  library.find(wait, "cuCtxSynchronize");
  library.find(memory_info, "cuMemGetInfo_v2");
  library.find(allocate, "cuMemAlloc_v2");
  library.find(free, "cuMemFree_v2");
  library.find(upload, "cuMemcpyHtoD_v2");
  library.find(download, "cuMemcpyDtoH_v2");
  library.find(clear, "cuMemsetD8_v2");
  library.find(load, "cuModuleLoadData");
  library.find(unload, "cuModuleUnload");
  library.find(function, "cuModuleGetFunction");
  library.find(set_attribute, "cuFuncSetAttribute");
  library.find(launch, "cuLaunchKernel");
  library.find(error_text, "cuGetErrorString");
}

const CudaGpu::Driver& CudaGpu::driver() {
  static const Driver opened;  // tried again after an exception
  return opened;
}

struct CudaGpu::Function {
  Function(const CudaGpu& gpu, void* loaded) : owner(gpu), module(loaded) {}
  ~Function() {
    driver().set_context(owner.context_);
    driver().unload(module);
  }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  const CudaGpu& owner;
  void* module;
  void* entry = nullptr;
  unsigned shared_bytes = 0;
};

void CudaGpu::check(int result, std::string_view action) const {
  if (result == kSuccess) {
    return;
  }
  const char* text = nullptr;
  driver().error_text(result, &text);
  const std::string where = name_.empty() ? "the driver" : name_;
  throw DeviceError(fmt::format("{} could not {}: {} (CUDA error {}); use the device cpu", where,
                                action, text == nullptr ? "unknown error" : text, result));
}

CudaGpu::CudaGpu(int number) {
  const Driver& d = driver();
  check(d.init(0), "start");
  int count = 0;
  check(d.device_count(&count), "count GPUs");
  require_device(number < count,
                 fmt::format("there is no GPU {}; this machine has {}, counted from 0; use "
                             "another number, or the device cpu",
                             number, count));
  check(d.driver_version(&driver_version_), "tell its version");
  check(d.device_get(&device_, number), "open the GPU");
  std::array<char, 200> text{};
  check(d.device_name(text.data(), static_cast<int>(text.size()) - 1, device_), "tell its name");
  name_ = text.data();
  int major = 0;
  int minor = 0;
  check(d.device_attribute(&major, kMajor, device_), "tell its architecture");
  check(d.device_attribute(&minor, kMinor, device_), "tell its architecture");
  architecture_ = 10 * major + minor;
  require_device(
      architecture_ >= kOldestArchitecture,
      fmt::format("{} is too old (compute capability {}.{}, needed: 6.1); use the device cpu",
                  name_, major, minor));
  check(d.device_attribute(&multiprocessors_, kMultiprocessorCount, device_), "tell its size");
  check(d.retain_context(&context_, device_), "be used");
  enter();
}

CudaGpu::~CudaGpu() {
  driver().release_context(device_);
}

void CudaGpu::enter() const {
  check(driver().set_context(context_), "be used");
}

const std::string& CudaGpu::name() const {
  return name_;
}
int CudaGpu::architecture() const {
  return architecture_;
}
int CudaGpu::multiprocessors() const {
  return multiprocessors_;
}
int CudaGpu::driver_version() const {
  return driver_version_;
}

std::size_t CudaGpu::free_memory() const {
  std::size_t free_bytes = 0;
  std::size_t all = 0;
  check(driver().memory_info(&free_bytes, &all), "tell its free memory");
  return free_bytes;
}

DeviceAddress CudaGpu::allocate(std::size_t bytes) const {
  DeviceAddress address = 0;
  const int result = driver().allocate(&address, bytes);
  if (result == kOutOfMemory) {
    throw DeviceError(
        fmt::format("{} has no {} bytes of memory left, only {}; free some, search "
                    "fewer codes, or use the device cpu",
                    name_, bytes, free_memory()));
  }
  check(result, "give memory");
  return address;
}

void CudaGpu::free(DeviceAddress address) const noexcept {
  if (address != 0) {
    driver().set_context(context_);
    driver().free(address);
  }
}

void CudaGpu::upload(DeviceAddress to, const void* from, std::size_t bytes) const {
  if (bytes > 0) {
    check(driver().upload(to, from, bytes), "take data");
  }
}

void CudaGpu::download(void* to, DeviceAddress from, std::size_t bytes) const {
  if (bytes > 0) {
    check(driver().download(to, from, bytes), "finish a search");
  }
}

void CudaGpu::clear(DeviceAddress address, std::size_t bytes) const {
  check(driver().clear(address, 0, bytes), "clear memory");
}

std::shared_ptr<const CudaGpu::Function> CudaGpu::load(std::span<const char> machine_code,
                                                       const char* function,
                                                       unsigned shared_bytes) const {
  const Driver& d = driver();
  void* module = nullptr;
  check(
      d.load(&module, machine_code.data()),
      fmt::format("load a kernel; its driver (CUDA {}.{}) may be older than NVRTC, then update it",
                  driver_version_ / 1000, driver_version_ % 1000 / 10));
  auto loaded = std::make_shared<Function>(*this, module);
  check(d.function(&loaded->entry, module, function), "find a kernel");
  loaded->shared_bytes = shared_bytes;
  if (shared_bytes > 0) {
    check(d.set_attribute(loaded->entry, kMaxDynamicSharedBytes, static_cast<int>(shared_bytes)),
          "give a kernel shared memory");
  }
  return loaded;
}

void CudaGpu::launch(const Function& function, Shape shape, std::span<void*> arguments) const {
  check(driver().launch(function.entry, shape.columns, shape.rows, 1, shape.threads, 1, 1,
                        function.shared_bytes, nullptr, arguments.data(), nullptr),
        "start a kernel");
}

void CudaGpu::wait() const {
  check(driver().wait(), "finish a search");
}

DeviceMemory::~DeviceMemory() {
  gpu_.free(address_);
}

DeviceAddress DeviceMemory::reserve(std::size_t bytes) {
  if (bytes > bytes_) {
    gpu_.free(address_);
    address_ = 0;
    bytes_ = 0;
    address_ = gpu_.allocate(bytes);
    bytes_ = bytes;
  }
  return address_;
}

}  // namespace structhash::search::gpu
