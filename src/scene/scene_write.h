/* A scene as text. */
#ifndef CAROM_SCENE_SCENE_WRITE_H
#define CAROM_SCENE_SCENE_WRITE_H

#include "files/json_document.h"

/* The text of a scene, a line for each body, joint and force, every number in the fewest digits that read back the same; free()
 * it. NULL: out of memory. */
char *scene_write(const json_t *root);

#endif
