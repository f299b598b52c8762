/* Reading the text inside mesh files: words, numbers and lines, without a terminating zero and without the locale. */
#ifndef CAROM_MESH_FILES_MESH_TEXT_H
#define CAROM_MESH_FILES_MESH_TEXT_H

#include <carom/base.h>

typedef struct mesh_text {
    const char *at;
    const char *end;
    long line; /* 1-based */
} mesh_text;

typedef struct mesh_word {
    const char *at;
    int length; /* 0: there is none */
} mesh_word;

/* The next word; across line ends (any), or only on this line. */
mesh_word mesh_text_word(mesh_text *text);
mesh_word mesh_text_word_on_line(mesh_text *text);

/* Goes to the beginning of the next line. */
void mesh_text_skip_line(mesh_text *text);

/* Whether the word is this keyword, ignoring case. */
bool mesh_word_is(mesh_word word, const char *keyword);

/* The value of a word that is wholly a decimal number, correctly rounded; false for anything else (also nan and
 * inf). */
bool mesh_word_number(mesh_word word, double *value);

/* The integer at the beginning of a word; *used characters long. False when there is none or it is beyond 32 bits. */
bool mesh_word_integer(mesh_word word, int32_t *value, int *used);

/* For messages: a word as printf's "%.*s" takes it, cut where it is too long. */
#define MESH_WORD_SHOWN(word) ((word).length < 40 ? (word).length : 40), ((word).at)

#endif
