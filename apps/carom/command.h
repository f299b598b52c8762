/* Subcommands of the program: each is one file with one table, listed in main.c. */
#ifndef CAROM_APP_COMMAND_H
#define CAROM_APP_COMMAND_H

#include <carom/carom.h>

#include <stdio.h>

/* What the shell gets. */
enum {
    EXIT_DONE = 0,
    EXIT_CHECK_FAILED = 1, /* a comparison or reproduction is out of tolerance                    */
    EXIT_BAD_INPUT = 2,    /* scene, file or command line                                         */
    EXIT_GAVE_UP = 3,      /* the solver found no answer, or memory or the disk ended             */
    EXIT_INTERRUPTED = 130 /* Ctrl-C, as shells count it: what was reached is saved               */
};

typedef struct option {
    const char *name;     /* "--set"; NULL ends a table */
    char letter;          /* 'o' for -o; 0: none        */
    const char *argument; /* "DIR"; NULL: a flag        */
    const char *help;
} option;

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *summary;  /* one line for the list of commands */
    const char *operands; /* "SCENE"                           */
    int min_operands;
    int max_operands;
    const option *options; /* NULL: none */
    const char *notes;     /* paragraphs of the help; NULL: none */
    const char *example;   /* one or more lines of shell         */
    int (*run)(const arguments *args);
    int (*run_words)(int count, char **words); /* instead of run: has subcommands with options of their own */
} command;

struct arguments {
    const command *command;
    int operand_count;
    const char **operands;
    int value_count;
    const option **options; /* given ones, in order */
    const char **values;    /* of each, NULL for flags */
};

/* Every command; ended by NULL. */
extern const command *const all_commands[];

extern const command command_run;
extern const command command_check;
extern const command command_compare;
extern const command command_examples;
extern const command command_mesh;
extern const command command_modes;
extern const command command_import;
extern const command command_schema;
extern const command command_sdf;
extern const command command_sweep;
extern const command command_fmu;
extern const command command_resume;
extern const command command_info;
extern const command command_export;
extern const command command_plot;
extern const command command_render;
extern const command command_papers;
extern const command command_view;
extern const command command_new;
extern const command command_doctor;
extern const command command_completion;
extern const command command_man;

/* ---- arguments.c ------------------------------------------------------------------------------------------------ */

/* Sorts words into operands and options of the command. Prints what is wrong and answers false. */
bool arguments_parse(arguments *args, const command *cmd, int count, char **words);
void arguments_free(arguments *args);

bool arguments_have(const arguments *args, const char *option);

/* The value given last, or NULL. */
const char *arguments_text(const arguments *args, const char *option);

/* A number in the allowed range; left alone when not given. Prints what is wrong and answers false. */
bool arguments_number(const arguments *args, const char *option, double low, double high, double *out);

/* All values of an option that may be repeated, in order; free() the array. */
const char **arguments_list(const arguments *args, const char *option, size_t *count);

void print_command_help(const command *cmd);

/* Does what the words after a command ask for: its help, or the command itself. Answers the exit code. */
int run_command(const command *cmd, int count, char **words);
bool asks_for_help(int count, char **words);

/* ---- messages.c ------------------------------------------------------------------------------------------------- */

/* "carom: ..." on standard error, control characters replaced: names come from files. */
void complain(const char *fmt, ...) CAROM_PRINTF(1, 2);

/* Prints an error of the library and gives the exit code that fits it. */
int report(carom_status status, const carom_error *err);

/* The same for what writes files, EXIT_DONE when nothing went wrong: a disk that fails is not the user's mistake. */
int report_writing(carom_status status, const carom_error *err);

/* The same for an error about a scene; where the error itself names no file, this one is meant. */
int report_scene(carom_status status, const carom_error *err, const char *scene_file);

/* Notes and warnings on a model, on standard error. */
void complain_notes(const carom_model *model, bool warnings_only);

/* Brings standard output to its reader; the exit code, or another when that fails. */
int finish_output(int code);

/* A file that was not there before: what is there under this name, a link included, is removed. NULL with errno. */
FILE *create_anew(const char *path);

/* A disk that is full or broken, and a lack of memory, are nobody's mistake: EXIT_GAVE_UP; else EXIT_BAD_INPUT. */
int exit_code_of(int errno_value);

/* Ends the program with the message and its exit code unless all is well: for what is read on the way, where a line that is
 * left out would look like one that is not needed. */
void require_ok(carom_status status, const carom_error *err);

/* Memory that is there, or the end of the program with a message. */
void *allocate(size_t count, size_t size);
char *copy_text(const char *text);
char *format_text(const char *fmt, ...) CAROM_PRINTF(1, 2);

/* "1.25 MB". */
enum { BYTES_TEXT = 32 };
const char *bytes_text(double bytes, char text[BYTES_TEXT]);

/* The candidate that is probably meant, or NULL; candidates end with NULL. */
const char *nearest_name(const char *name, const char *const *candidates);

#endif
