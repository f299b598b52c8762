/* Mesh files of other formats: where they are, and how a scene in another folder names them. */
#include "scene/mesh_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/input_file.h"

enum { MOST_PARENTS = 16, LONGEST_PATH = 4096 };

bool mesh_path_is_file(const char *path)
{
    carom_input input;
    if (!carom_input_open(&input, path)) {
        return false;
    }
    close(input.fd);
    return true;
}

/* folder/meshes/name, folder/../meshes/name, ... */
static const char *find_in_parents(carom_arena *arena, const char *folder, const char *name)
{
    char up[3 * MOST_PARENTS + 1] = "";
    for (int i = 0; i < MOST_PARENTS; ++i) {
        const char *path = carom_arena_printf(arena, "%s/%smeshes/%s", folder, up, name);
        if (!path || mesh_path_is_file(path)) {
            return path;
        }
        strcat(up, "../");
    }
    return NULL;
}

const char *mesh_path_find(carom_arena *arena, const char *folder, const char *name)
{
    if (mesh_path_is_file(name)) {
        return carom_arena_text(arena, name);
    }
    const char *beside = scene_join_path(arena, folder, name);
    if (!beside || mesh_path_is_file(beside)) {
        return beside;
    }
    return name[0] == '/' ? NULL : find_in_parents(arena, folder, name);
}

/* ---- names ------------------------------------------------------------------------------------------------------------- */

/* An absolute path without "." and "..", taken by their words alone; false: too long. */
static bool flatten(char *out, size_t size, const char *path)
{
    char whole[2 * LONGEST_PATH];
    char here[LONGEST_PATH];
    size_t used = 0;
    if (path[0] != '/' && !getcwd(here, sizeof here)) {
        return false;
    }
    int length = path[0] == '/' ? snprintf(whole, sizeof whole, "%s", path)
                                : snprintf(whole, sizeof whole, "%s/%s", here, path);
    if (length < 0 || (size_t)length >= size || (size_t)length >= sizeof whole) {
        return false;
    }
    out[0] = '\0';
    for (const char *p = whole; *p;) {
        size_t word = strcspn(p, "/");
        bool up = word == 2 && strncmp(p, "..", 2) == 0;
        if (up) {
            char *slash = strrchr(out, '/');
            used = slash ? (size_t)(slash - out) : 0;
            out[used] = '\0';
        } else if (word > 0 && !(word == 1 && p[0] == '.')) {
            out[used++] = '/';
            memcpy(out + used, p, word);
            used += word;
            out[used] = '\0';
        }
        p += word + (p[word] == '/');
    }
    return true;
}

/* How many leading characters of both are the same folders. */
static size_t common_folders(const char *a, const char *b)
{
    size_t common = 0;
    size_t i = 0;
    for (; a[i] && a[i] == b[i]; ++i) {
        common = a[i] == '/' ? i : common;
    }
    bool ends = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
    return ends ? i : common;
}

static bool same_file(const char *a, const char *b)
{
    scene_identity x = scene_identify(a);
    scene_identity y = scene_identify(b);
    return x.known && y.known && x.device == y.device && x.inode == y.inode;
}

const char *mesh_path_from(carom_arena *arena, const char *folder, const char *path)
{
    char from[LONGEST_PATH];
    char to[LONGEST_PATH];
    char name[2 * LONGEST_PATH] = "";
    if (!flatten(from, sizeof from, folder) || !flatten(to, sizeof to, path)) {
        return carom_arena_text(arena, path);
    }
    size_t common = common_folders(from, to);
    for (const char *p = from + common; *p; ++p) {
        if (*p == '/' && strlen(name) + 4 < sizeof from) {
            strcat(name, "../");
        }
    }
    snprintf(name + strlen(name), sizeof name - strlen(name), "%s", to + common + (to[common] == '/'));
    const char *again = scene_join_path(arena, folder, name); /* links between folders lead elsewhere */
    bool right = again && same_file(again, path);
    return carom_arena_text(arena, right ? name : to);
}
