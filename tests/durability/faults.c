/* Lets one call of a kind fail, to see what a program makes of it: preloaded by the tests.

     STRUCTHASH_FAULT=write:3          the third write to a regular file says that the disk is full
     STRUCTHASH_FAULT_REPORT=FILE      afterwards: how many such calls there were, and 1 if one failed

   Kinds: open (of files to write to), write, fsync, rename, alloc.  Calls are counted from the begin of main on:
   before it only libraries set themselves up, and no file is open. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { kind_none, kind_open, kind_write, kind_fsync, kind_rename, kind_alloc };
static const char* const names[] = {"none", "open", "write", "fsync", "rename", "alloc"};

static enum kind wanted = kind_none;
static enum kind failing = kind_none; /* set to what is wanted when main begins */
static long failing_call = 0;
static atomic_long calls;
static atomic_int failed;
static const char* report_path;

__attribute__((constructor)) static void begin(void) {
  const char* text = getenv("STRUCTHASH_FAULT");
  report_path = getenv("STRUCTHASH_FAULT_REPORT");
  const char* colon = text != NULL ? strchr(text, ':') : NULL;
  if (colon == NULL) {
    return;
  }
  failing_call = atol(colon + 1);
  for (enum kind kind = kind_open; kind <= kind_alloc; ++kind) {
    if (strncmp(text, names[kind], (size_t)(colon - text)) == 0) {
      wanted = kind;
    }
  }
}

typedef int main_function(int, char**, char**);
typedef int start_function(main_function*, int, char**, main_function*, void (*)(void), void (*)(void), void*);
static main_function* real_main;

static int counted_main(int argc, char** argv, char** environment) {
  failing = wanted;
  return real_main(argc, argv, environment);
}

/* What the C library calls to run a program: initialisers, then main. */
int __libc_start_main(main_function* main, int argc, char** argv, main_function* init, void (*fini)(void),
                      void (*rtld_fini)(void), void* stack_end) {
  start_function* start = (start_function*)dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void end(void) {
  const enum kind counted = failing;
  failing = kind_none;
  if (counted == kind_none || report_path == NULL) {
    return;
  }
  char text[64];
  const int size = snprintf(text, sizeof text, "%ld %d\n", atomic_load(&calls), atomic_load(&failed));
  const int file = (int)syscall(SYS_openat, AT_FDCWD, report_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0) {
    syscall(SYS_write, file, text, (size_t)size);
    syscall(SYS_close, file);
  }
}

/* Is it this call's turn to fail? */
static int turn(enum kind kind) {
  if (kind != failing) {
    return 0;
  }
  const int now = atomic_fetch_add(&calls, 1) + 1 == failing_call;
  if (now) {
    atomic_store(&failed, 1);
  }
  return now;
}

static int is_regular(int descriptor) {
  struct stat status;
  return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static int fail_with(int reason) {
  errno = reason;
  return -1;
}

static int is_for_writing(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

static int open_file(int folder, const char* path, int flags, va_list rest) {
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  if (is_for_writing(flags) && turn(kind_open)) {
    return fail_with(ENOSPC);
  }
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int result = open_file(AT_FDCWD, path, flags, rest);
  va_end(rest);
  return result;
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int result = open_file(AT_FDCWD, path, flags, rest);
  va_end(rest);
  return result;
}

ssize_t write(int descriptor, const void* data, size_t size) {
  if (failing == kind_write && is_regular(descriptor) && turn(kind_write)) {
    return fail_with(ENOSPC);
  }
  return syscall(SYS_write, descriptor, data, size);
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  if (failing == kind_write && is_regular(descriptor) && turn(kind_write)) {
    return fail_with(ENOSPC);
  }
  return syscall(SYS_writev, descriptor, parts, count);
}

/* Half of it arrives before the disk is full. */
ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  if (failing == kind_write && is_regular(descriptor) && turn(kind_write)) {
    syscall(SYS_pwrite64, descriptor, data, size / 2, offset);
    return fail_with(ENOSPC);
  }
  return syscall(SYS_pwrite64, descriptor, data, size, offset);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off_t offset) {
  return pwrite(descriptor, data, size, offset);
}

int fsync(int descriptor) {
  return turn(kind_fsync) ? fail_with(EIO) : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
  return turn(kind_fsync) ? fail_with(EIO) : (int)syscall(SYS_fdatasync, descriptor);
}

int rename(const char* from, const char* to) {
  return turn(kind_rename) ? fail_with(EIO)
                           : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static void* no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void* malloc(size_t size) {
  return turn(kind_alloc) ? no_memory() : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return turn(kind_alloc) ? no_memory() : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return turn(kind_alloc) ? no_memory() : __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return turn(kind_alloc) ? no_memory() : __libc_memalign(alignment, size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  if (turn(kind_alloc)) {
    return ENOMEM;
  }
  void* found = __libc_memalign(alignment, size);
  if (found == NULL) {
    return ENOMEM;
  }
  *result = found;
  return 0;
}
