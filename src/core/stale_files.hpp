#pragma once

#include <string>

/// Temporary files whose writer was killed (docs/reliability.md).  A running writer holds a lock on
/// its file, which the kernel releases when the process ends: a temporary file that can be locked
/// is stale.  Process ids are not enough: another machine may share the folder.
namespace structhash {

/// "model.shm.tmp-1234-0": target, process id, attempt.
std::string temporary_name(const std::string& target, int attempt);

/// Locks the file until it is closed.  False if another writer removed it as stale before it was
/// locked; true where the file system has no locks, because nothing is removed there.
bool mark_as_alive(int descriptor);

/// Removes the temporary files that killed writers of `target` left in its folder.  Errors are
/// ignored: such a file does no harm.
void remove_stale_files(const std::string& target) noexcept;

}  // namespace structhash
