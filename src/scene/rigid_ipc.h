/* Scenes of the rigid-ipc format [Ferguson2021] become carom scenes: JSON in, JSON out, so that everything behind the
 * translation is the ordinary scene reader. What each key means is in docs/import.md.
 *
 * The document keeps the user's text; a table of lines, shaped like the translated tree, leads errors back to it. */
#ifndef CAROM_SCENE_RIGID_IPC_H
#define CAROM_SCENE_RIGID_IPC_H

#include "scene/scene_reader.h"

typedef enum remark_kind {
    REMARK_TOLD,    /* what became of something; told when asked for */
    REMARK_NOTE,    /* something without effect */
    REMARK_WARNING, /* something that is probably wrong */
} remark_kind;

typedef struct rigid_ipc_remark {
    remark_kind kind;
    int line;
    const char *path;
    const char *text;
} rigid_ipc_remark;

typedef struct rigid_ipc_remarks {
    rigid_ipc_remark *items;
    size_t count, capacity;
} rigid_ipc_remarks;

/* Whether this is a scene of the format, or a saved simulation of it. */
bool rigid_ipc_recognised(const json_t *root);

/* Whether "path=value" changes the scene as it stands in its file; all others change the translated one. */
bool rigid_ipc_owns_override(const char *override);

/* Puts a carom scene in the place of the document's tree. Files are named relative to `folder`. Remarks live in the reader's
 * arena; the caller frees the list's items. */
carom_status rigid_ipc_translate(scene_reader *r, json_document *document, const char *folder,
                                 rigid_ipc_remarks *remarks);

#endif
