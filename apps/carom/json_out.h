/* JSON on standard output, for programs that read what commands say (--json), or in a file. One object per command; numbers with 17 digits; what is no
 * finite number is null. */
#ifndef CAROM_APP_JSON_OUT_H
#define CAROM_APP_JSON_OUT_H

#include <stdio.h>

#include <carom/carom.h>

/* Inside an object every value has a key, inside a list none: NULL. */
void json_open(const char *key, char bracket);     /* '{' or '[' */
void json_close(char bracket);                     /* '}' or ']' */
void json_text(const char *key, const char *text); /* NULL: null */
void json_number(const char *key, double value);
void json_bool(const char *key, bool value);
void json_vector(const char *key, carom_v3 value);

/* From now on into this file; NULL: standard output, as it is at first. What was begun elsewhere must have ended. */
void json_into(FILE *file);

/* In files what comes next stands on a line of its own; on standard output an object is one line. */
void json_break(void);

/* The object of a command begins with its name and the version, and ends with a line. */
void json_begin(const char *command);
void json_end(void);

/* From now on what goes wrong is also told as JSON: an object with `errors`, on standard output. */
void json_errors(void);
void json_tell_error(const carom_error *err); /* nothing before json_errors */

#endif
