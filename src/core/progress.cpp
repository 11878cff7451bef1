#include "structhash/core/progress.hpp"

#include "structhash/core/error.hpp"

namespace structhash {

void report(const ProgressCallback& callback, const Progress& progress) {
  if (callback && !callback(progress)) {
    fail(Errc::interrupted, "stopped on request during " + progress.stage);
  }
}

}  // namespace structhash
