/* Scenes of other formats become carom scenes: a tree of JSON in the place of the document's, so that everything behind the
 * translation is the ordinary scene reader. What each format means is in docs/import.md.
 *
 * The document keeps the user's text; a table of lines, shaped like the translated tree, leads errors back to it. */
#ifndef CAROM_SCENE_TRANSLATION_H
#define CAROM_SCENE_TRANSLATION_H

#include "math/quat.h"
#include "scene/scene_reader.h"

typedef enum remark_kind {
    REMARK_TOLD,    /* what became of something; told when asked for */
    REMARK_NOTE,    /* something without effect, or repaired */
    REMARK_WARNING, /* something that is probably wrong */
} remark_kind;

typedef struct scene_remark {
    remark_kind kind;
    int line;
    const char *path;
    const char *text;
} scene_remark;

typedef struct scene_remarks {
    scene_remark *items;
    size_t count, capacity;
} scene_remarks;

typedef struct translation {
    const scene_reader *r;
    const json_document *document;
    const char *folder; /* of the translated scene: files are named relative to it */
    scene_remarks *remarks;
    bool chosen_method; /* an override names the contact method */
    bool out_of_memory;

    json_t *bodies, *joints, *forces; /* of the translated scene */
    json_t *lines;                    /* shaped like it: where its parts come from */
} translation;

/* A format that scenes may come in. */
typedef struct scene_format {
    const char *name;
    bool (*recognised)(const json_document *document);

    /* Whether "path=value" changes the scene as it stands in its file; all others change the translated one. */
    bool (*owns_override)(const char *override);

    /* Puts a carom scene in the place of the document's tree. Remarks live in the reader's arena; the caller frees their items. */
    carom_status (*translate)(translation *t, json_document *document);
} scene_format;

extern const scene_format rigid_ipc_format, urdf_format, mjcf_format;

/* The format of a document; NULL: carom's own. */
const scene_format *scene_format_of(const json_document *document);

/* Makes the lists; false: no memory. */
bool translation_begin(translation *t);
void translation_free(translation *t);

/* Hands the translated scene to the document, with the lists that are not empty and the lines of everything. Takes root. */
carom_status translation_finish(translation *t, json_document *document, json_t *root);

/* The same text is told once, unless it is REMARK_TOLD. */
void translation_remark(translation *t, remark_kind kind, int line, const char *path, const char *text);

json_t *translation_vector(v3 r);
json_t *translation_turn(quat q);

/* First about x, then y, then z, by angles [rad] about axes that do not turn along. */
quat q_about_fixed_axes(v3 angles);

/* "scenes/a.json" is "a". */
json_t *translation_name(const char *file);

/* Sets a member; lack of memory shows in out_of_memory. Takes the value. */
void translation_set(translation *t, json_t *object, const char *key, json_t *value);
void translation_append(translation *t, json_t *list, json_t *value);

/* Adds a definition to the list "bodies", "joints" or "forces", with the line it comes from. */
void translation_add(translation *t, json_t *list, const char *key, json_t *definition, int line);

/* The line that a setting of the translated scene comes from. */
void translation_note_line(translation *t, const char *key, int line);

#endif
