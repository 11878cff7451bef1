#pragma once

#include <memory>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"

/// Kernels as machine code of one architecture: compiled by NVRTC, which is opened when it is first
/// needed, and kept in a folder for later processes.
namespace structhash::search::gpu {

struct KernelForm {
  std::string name;  // of the kernel, for messages
  std::string source;
  std::string architecture;  // "sm_90a"
  Index words = 1;           // per code
  bool weighted = true;
};

/// Opens NVRTC: the file of the environment variable STRUCTHASH_NVRTC or the newest installed one.
/// Throws DeviceError with what to do if there is none.
class KernelCompiler {
 public:
  KernelCompiler();
  ~KernelCompiler();
  KernelCompiler(const KernelCompiler&) = delete;
  KernelCompiler& operator=(const KernelCompiler&) = delete;

  /// 13000 for 13.0.
  int version() const;
  /// Those it compiles for, such as 90 for 9.0, ascending.
  std::vector<int> architectures() const;
  std::vector<char> compile(const KernelForm& form) const;

 private:
  struct Library;
  std::unique_ptr<const Library> library_;
};

/// From the folder if it holds this form, compiled by this version; else compiled and stored there.
/// An empty folder name: compiled.  A folder that cannot be read or written, or a file that is
/// damaged, is as good as none.
std::vector<char> machine_code(const KernelCompiler& compiler, const KernelForm& form,
                               const std::string& folder);

/// $XDG_CACHE_HOME/structhash, else .cache/structhash in the home folder, else empty.
std::string kernel_folder();

}  // namespace structhash::search::gpu
