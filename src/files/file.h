/* Files of a run's folder: paths, folders, files that appear whole or not at all. */
#ifndef CAROM_FILES_FILE_H
#define CAROM_FILES_FILE_H

#include <stdio.h>

#include <carom/base.h>

enum { FILE_PATH = 4096 };

/* folder/name into path[FILE_PATH]. */
carom_status file_path(char *path, const char *folder, const char *name, carom_error *err);

/* Makes a folder and those above it; one that exists is fine. */
carom_status file_make_folder(const char *folder, carom_error *err);

/* Replaces folder/name by these bytes: written beside it, brought to disk, renamed. Whoever reads, or whatever kills the
 * process, finds the old file or the new one. */
carom_status file_write_whole(const char *folder, const char *name, const void *data, size_t bytes, carom_error *err);

/* The whole file, with a zero behind its end; free() it. Refuses files larger than limit. */
carom_status file_read_whole(const char *path, size_t limit, char **out, size_t *bytes, carom_error *err);

/* The same of what is open, from where it stands: 0, or the errno of what failed; EFBIG: it has more than limit bytes. */
int file_read_stream(FILE *stream, size_t limit, char **out, size_t *bytes);

/* A byte for byte copy that replaces `to`. */
carom_status file_copy(const char *from, const char *to, carom_error *err);

/* True as well where the system does not say: opening it then tells why it cannot be read. */
bool file_exists(const char *path);

/* Removes what is there under this name, a link included, and makes a file that was not there before: its descriptor, or -1
 * with errno. */
int file_create_new(const char *path);

/* Brings a folder's names to the disk: a rename is there only then. */
carom_status file_sync_folder(const char *folder, carom_error *err);

/* "cannot <what> '<path>': <the system's reason>". */
carom_status file_failed(carom_error *err, const char *what, const char *path, int code);

/* Holds the folder for this process until file_unlock, or until the process ends in whatever way: an exclusive lock on
 * folder/.lock. CAROM_BAD_INPUT when another run holds it. *lock is -1 where the file system knows no locks. */
carom_status file_lock(const char *folder, int *lock, carom_error *err);
void file_unlock(const char *folder, int lock); /* -1 is fine */

#endif
