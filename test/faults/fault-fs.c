/*
 * A FUSE file system for tests: passes everything on to a backing folder, writes down in a log what
 * was done to it, so that any power loss can be played out afterwards, and fails on command.
 *
 *   fault-fs BACKING LOG CONTROL MOUNTPOINT [FUSE OPTION...]
 *
 * The log is a sequence of records, little endian: u8 kind, u32 a, u32 b, u64 offset, u32 length of
 * the first and of the second byte string, then both. Files and folders are numbered as they are made;
 * 1 is the root.
 *
 *   C a=folder b=number offset=0 file, 1 folder, first: name      a name came
 *   U a=folder first: name                                        a name went
 *   R a=folder b=other folder first: name second: new name        a name moved
 *   W a=file offset first: bytes      T a=file offset: size       content changed
 *   F a=file                          D a=folder                  fsync
 *   M first: text                                                 a mark of the test
 *
 * Whoever asks for the attributes of "/.mark TEXT" is told that there is no such file, and TEXT becomes a
 * mark in the log at that moment. Commands are lines written to the file CONTROL (a FIFO): "clear", and
 * "fail KIND ERRNO COUNT PATTERN", where KIND is open, create, read, write, fsync, fsyncdir, rename,
 * unlink, mkdir or change (all that change something), COUNT -1 for ever, PATTERN as of fnmatch over
 * the path below the mount point.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fuse3/fuse.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static char backing[4096];
static FILE *oplog;
static const char *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Numbers of files by the inode of the backing folder, which may use one again. */
#define SLOTS (1 << 20)
static struct { uint64_t inode; uint32_t number; } numbers[SLOTS];
static uint32_t next_number = 2;

static uint32_t *slot_of(uint64_t inode) {
  size_t at = (inode * 0x9e3779b97f4a7c15ull) >> 44;
  while (numbers[at].inode != 0 && numbers[at].inode != inode) at = (at + 1) % SLOTS;
  numbers[at].inode = inode;
  return &numbers[at].number;
}

static void real_path(char *out, const char *path) { snprintf(out, 8192, "%s%s", backing, path); }

static uint32_t number_of(const char *path) {
  char real[8192];
  struct stat found;
  real_path(real, path);
  if (lstat(real, &found) != 0) return 0;
  return *slot_of(found.st_ino);
}

static uint32_t folder_of(const char *path, const char **name) {
  char folder[4096];
  const char *slash = strrchr(path, '/');
  *name = slash + 1;
  snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
  return number_of(folder[0] == 0 ? "/" : folder);
}

static void put(const void *bytes, size_t length) { fwrite(bytes, 1, length, oplog); }

static void record(char kind, uint32_t a, uint32_t b, uint64_t offset, const void *first,
                   uint32_t first_length, const void *second, uint32_t second_length) {
  put(&kind, 1);
  put(&a, 4);
  put(&b, 4);
  put(&offset, 8);
  put(&first_length, 4);
  put(&second_length, 4);
  put(first, first_length);
  put(second, second_length);
}

struct rule {
  char kind[16];
  char pattern[512];
  int error;
  int left;
};
static struct rule rules[64];
static int rule_count = 0;

static int changes(const char *kind) { return strcmp(kind, "read") != 0 && strcmp(kind, "open") != 0; }

/* The error that a command wants here; 0 for none. */
static int fault(const char *kind, const char *path) {
  for (int i = 0; i < rule_count; i++) {
    struct rule *rule = &rules[i];
    int is_kind = strcmp(rule->kind, kind) == 0 || (strcmp(rule->kind, "change") == 0 && changes(kind));
    if (!is_kind || rule->left == 0 || fnmatch(rule->pattern, path, 0) != 0) continue;
    if (rule->left > 0) rule->left--;
    return rule->error;
  }
  return 0;
}

static int error_named(const char *name) {
  if (strcmp(name, "EIO") == 0) return EIO;
  if (strcmp(name, "ENOSPC") == 0) return ENOSPC;
  if (strcmp(name, "EROFS") == 0) return EROFS;
  if (strcmp(name, "EMFILE") == 0) return EMFILE;
  return EINVAL;
}

static void obey(char *line) {
  line[strcspn(line, "\n")] = 0;
  pthread_mutex_lock(&lock);
  char name[16];
  struct rule rule;
  if (strcmp(line, "clear") == 0) {
    rule_count = 0;
    record('M', 0, 0, 0, "clear", 5, "", 0);
  } else if (sscanf(line, "fail %15s %15s %d %511s", rule.kind, name, &rule.left, rule.pattern) == 4 &&
             rule_count < 64) {
    rule.error = error_named(name);
    rules[rule_count++] = rule;
    record('M', 0, 0, 0, line, strlen(line), "", 0);
  }
  fflush(oplog);
  pthread_mutex_unlock(&lock);
}

static void *listen_to_commands(void *unused) {
  (void)unused;
  char line[1024];
  for (;;) {
    FILE *commands = fopen(control, "r");
    if (commands == NULL) return NULL;
    while (fgets(line, sizeof line, commands) != NULL) obey(line);
    fclose(commands);
  }
}

static void *on_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  config->use_ino = 0;
  config->attr_timeout = 0;
  config->entry_timeout = 0;
  config->negative_timeout = 0;
  config->hard_remove = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, listen_to_commands, NULL);
  return NULL;
}

#define BEGIN(kind, path)                     \
  char real[8192];                            \
  real_path(real, path);                      \
  pthread_mutex_lock(&lock);                  \
  int result = -fault(kind, path);            \
  if (result != 0) goto done;
#define END                                   \
  done:                                       \
  pthread_mutex_unlock(&lock);                \
  return result;
#define TRY(call)                             \
  if ((call) == -1) {                         \
    result = -errno;                          \
    goto done;                                \
  }

static int on_getattr(const char *path, struct stat *out, struct fuse_file_info *info) {
  char real[8192];
  if (strncmp(path, "/.mark ", 7) == 0) {
    pthread_mutex_lock(&lock);
    record('M', 0, 0, 0, path + 7, strlen(path + 7), "", 0);
    pthread_mutex_unlock(&lock);
    return -ENOENT;
  }
  real_path(real, path);
  int failed = info != NULL ? fstat((int)info->fh, out) : lstat(real, out);
  return failed ? -errno : 0;
}

static int on_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                      struct fuse_file_info *info, enum fuse_readdir_flags flags) {
  (void)offset, (void)info, (void)flags;
  char real[8192];
  real_path(real, path);
  DIR *folder = opendir(real);
  if (folder == NULL) return -errno;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) fill(buffer, entry->d_name, NULL, 0, 0);
  closedir(folder);
  return 0;
}

static int on_open(const char *path, struct fuse_file_info *info) {
  BEGIN("open", path)
  int before = (info->flags & O_TRUNC) != 0;
  int file = open(real, info->flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECT));
  TRY(file)
  info->fh = file;
  if (before) record('T', number_of(path), 0, 0, "", 0, "", 0);
  END
}

static int on_create(const char *path, mode_t mode, struct fuse_file_info *info) {
  const char *name;
  BEGIN("create", path)
  int file = open(real, (info->flags & ~O_DIRECT) | O_CREAT, mode);
  TRY(file)
  info->fh = file;
  struct stat found;
  fstat(file, &found);
  uint32_t number = *slot_of(found.st_ino) = next_number++;
  uint32_t folder = folder_of(path, &name);
  record('C', folder, number, 0, name, strlen(name), "", 0);
  END
}

static int on_read(const char *path, char *out, size_t size, off_t offset, struct fuse_file_info *info) {
  BEGIN("read", path)
  result = pread((int)info->fh, out, size, offset);
  if (result == -1) result = -errno;
  END
}

static uint32_t number_of_handle(struct fuse_file_info *info) {
  struct stat found;
  return fstat((int)info->fh, &found) == 0 ? *slot_of(found.st_ino) : 0;
}

static int on_write(const char *path, const char *bytes, size_t size, off_t offset, struct fuse_file_info *info) {
  BEGIN("write", path)
  result = pwrite((int)info->fh, bytes, size, offset);
  if (result == -1) result = -errno;
  else record('W', number_of_handle(info), 0, offset, bytes, result, "", 0);
  END
}

static int on_truncate(const char *path, off_t size, struct fuse_file_info *info) {
  BEGIN("write", path)
  TRY(info != NULL ? ftruncate((int)info->fh, size) : truncate(real, size))
  record('T', info != NULL ? number_of_handle(info) : number_of(path), 0, size, "", 0, "", 0);
  END
}

static int on_unlink(const char *path) {
  const char *name;
  BEGIN("unlink", path)
  TRY(unlink(real))
  uint32_t folder = folder_of(path, &name);
  record('U', folder, 0, 0, name, strlen(name), "", 0);
  END
}

static int on_rmdir(const char *path) {
  const char *name;
  BEGIN("unlink", path)
  TRY(rmdir(real))
  uint32_t folder = folder_of(path, &name);
  record('U', folder, 0, 0, name, strlen(name), "", 0);
  END
}

static int on_mkdir(const char *path, mode_t mode) {
  const char *name;
  BEGIN("mkdir", path)
  TRY(mkdir(real, mode))
  struct stat found;
  lstat(real, &found);
  uint32_t number = *slot_of(found.st_ino) = next_number++;
  uint32_t folder = folder_of(path, &name);
  record('C', folder, number, 1, name, strlen(name), "", 0);
  END
}

static int on_rename(const char *from, const char *to, unsigned int flags) {
  char real_from[8192];
  const char *name, *new_name;
  real_path(real_from, from);
  BEGIN("rename", to)
  TRY(renameat2(AT_FDCWD, real_from, AT_FDCWD, real, flags))
  uint32_t folder = folder_of(from, &name), new_folder = folder_of(to, &new_name);
  record('R', folder, new_folder, 0, name, strlen(name), new_name, strlen(new_name));
  END
}

static int on_link(const char *from, const char *to) {
  char real_from[8192];
  const char *name;
  real_path(real_from, from);
  BEGIN("create", to)
  TRY(link(real_from, real))
  uint32_t number = number_of(to), folder = folder_of(to, &name);
  record('C', folder, number, 0, name, strlen(name), "", 0);
  END
}

/* The real fsync is left out: the log says what would be on the disk. */
static int on_fsync(const char *path, int data_only, struct fuse_file_info *info) {
  (void)data_only;
  BEGIN("fsync", path)
  (void)real;
  record('F', number_of_handle(info), 0, 0, "", 0, "", 0);
  END
}

static int on_fsyncdir(const char *path, int data_only, struct fuse_file_info *info) {
  (void)data_only, (void)info;
  BEGIN("fsyncdir", path)
  (void)real;
  record('D', number_of(path), 0, 0, "", 0, "", 0);
  END
}

static int on_release(const char *path, struct fuse_file_info *info) {
  (void)path;
  close((int)info->fh);
  return 0;
}

static int on_opendir(const char *path, struct fuse_file_info *info) {
  (void)info;
  BEGIN("open", path)
  (void)real;
  END
}

static int on_statfs(const char *path, struct statvfs *out) {
  char real[8192];
  real_path(real, path);
  return statvfs(real, out) == -1 ? -errno : 0;
}

static int on_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
  (void)info;
  BEGIN("write", path)
  TRY(utimensat(AT_FDCWD, real, times, AT_SYMLINK_NOFOLLOW))
  END
}

static int on_chmod(const char *path, mode_t mode, struct fuse_file_info *info) {
  (void)info;
  BEGIN("write", path)
  TRY(chmod(real, mode))
  END
}

static const struct fuse_operations operations = {
    .init = on_init, .getattr = on_getattr, .readdir = on_readdir, .open = on_open,
    .create = on_create, .read = on_read, .write = on_write, .truncate = on_truncate,
    .unlink = on_unlink, .rmdir = on_rmdir, .mkdir = on_mkdir, .rename = on_rename,
    .link = on_link, .fsync = on_fsync, .fsyncdir = on_fsyncdir, .release = on_release,
    .opendir = on_opendir, .statfs = on_statfs, .utimens = on_utimens, .chmod = on_chmod,
};

int main(int count, char **words) {
  if (count < 5) return 2;
  snprintf(backing, sizeof backing, "%s", words[1]);
  oplog = fopen(words[2], "w");
  control = words[3];
  struct stat root;
  if (oplog == NULL || stat(backing, &root) != 0) return 2;
  setvbuf(oplog, NULL, _IOFBF, 1 << 20);
  *slot_of(root.st_ino) = 1;
  char *rest[64] = {words[0], words[4]};
  int rest_count = 2;
  for (int i = 5; i < count && rest_count < 63; i++) rest[rest_count++] = words[i];
  int ended = fuse_main(rest_count, rest, &operations, NULL);
  fflush(oplog);
  return ended;
}
