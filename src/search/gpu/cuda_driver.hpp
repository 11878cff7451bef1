#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The driver of NVIDIA's GPUs, opened when it is first needed: no CUDA where we are built.
/// Whatever a GPU cannot do throws DeviceError, in one sentence.
namespace structhash::search::gpu {

void require_device(bool condition, const std::string& message);

/// A shared library; its functions are looked up by name.
class SharedLibrary {
 public:
  /// The first of these names that can be opened; throws DeviceError with `what_is_missing`, what
  /// to do, and the reason.
  SharedLibrary(const std::vector<std::string>& names, std::string_view what_is_missing);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  template <typename Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;  // throws DeviceError if there is none
  void* handle_ = nullptr;
  std::string name_;
};

using DeviceAddress = unsigned long long;

/// One GPU: memory, kernels, launches.  One thread at a time.  A failed call throws DeviceError;
/// all further calls on that GPU fail, too.
class CudaGpu {
 public:
  explicit CudaGpu(int number);
  ~CudaGpu();
  CudaGpu(const CudaGpu&) = delete;
  CudaGpu& operator=(const CudaGpu&) = delete;

  /// To be called by a thread before it uses the GPU.
  void enter() const;

  const std::string& name() const;
  int architecture() const;  // 90 for 9.0
  int multiprocessors() const;
  int driver_version() const;  // 13000 for CUDA 13.0
  std::size_t free_memory() const;

  DeviceAddress allocate(std::size_t bytes) const;
  void free(DeviceAddress address) const noexcept;
  void upload(DeviceAddress to, const void* from, std::size_t bytes) const;
  void download(void* to, DeviceAddress from, std::size_t bytes) const;
  void clear(DeviceAddress address, std::size_t bytes) const;

  /// A function of machine code; it may use this many bytes of shared memory.
  struct Function;
  std::shared_ptr<const Function> load(std::span<const char> machine_code, const char* function,
                                       unsigned shared_bytes) const;
  struct Shape {
    unsigned columns = 1;  // of blocks
    unsigned rows = 1;
    unsigned threads = 1;  // per block
  };
  void launch(const Function& function, Shape shape, std::span<void*> arguments) const;
  /// Waits for all launches.
  void wait() const;

 private:
  struct Driver;
  static const Driver& driver();
  void check(int result, std::string_view action) const;

  int device_ = 0;
  void* context_ = nullptr;
  std::string name_;
  int architecture_ = 0;
  int multiprocessors_ = 0;
  int driver_version_ = 0;
};

/// Memory of a GPU that grows when asked to.
class DeviceMemory {
 public:
  explicit DeviceMemory(const CudaGpu& gpu) : gpu_(gpu) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// At least this many bytes; what they held is lost.
  DeviceAddress reserve(std::size_t bytes);
  DeviceAddress address() const { return address_; }
  template <typename Values>
  DeviceAddress fill(const Values& values) {
    const std::size_t bytes = values.size() * sizeof(values[0]);
    reserve(bytes);
    gpu_.upload(address_, values.data(), bytes);
    return address_;
  }

 private:
  const CudaGpu& gpu_;
  DeviceAddress address_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace structhash::search::gpu
