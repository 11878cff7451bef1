#pragma once

#include <string>

/// Temporary files whose writer was killed (docs/reliability.md).  A living writer holds a lock on
/// its file, and the kernel lets go of it whatever becomes of the writer: a temporary file that can
/// be locked is stale.  The number of a process would not do: another machine may share the folder.
namespace structhash {

/// "model.shm.tmp-1234-0": who writes the file is seen from its name.
std::string temporary_name(const std::string& target, int attempt);

/// Locks the file as long as it is open.  False if somebody took it for stale before it was locked;
/// true also where the file system knows no locks: nobody takes anything away there.
bool mark_as_alive(int descriptor);

/// Removes what killed writers of `target` left in its folder.  What cannot be removed stays: it is
/// in nobody's way.
void remove_stale_files(const std::string& target) noexcept;

}  // namespace structhash
