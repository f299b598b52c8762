/* The files that Assimp may see: the mesh file, and regular files in its folder and below. */
#ifndef CAROM_MESH_FILES_ASSIMP_READER_FILES_H
#define CAROM_MESH_FILES_ASSIMP_READER_FILES_H

#include <assimp/cfileio.h>
#include <stdbool.h>

typedef struct reader_files {
    int folder;       /* descriptor; -1: no other files */
    const char *name; /* of the mesh file */
    char *data;
    size_t size;
} reader_files;

/* Loads the mesh file from a descriptor, for as long as the process lives. False: errno says why. */
bool reader_files_open(reader_files *files, int mesh_file, const char *folder, const char *name);

/* What aiImportFileEx takes; `files` must outlive it. */
struct aiFileIO reader_files_io(reader_files *files);

#endif
