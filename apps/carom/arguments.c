/* Command lines against a command's table: --name value, --name=value, -o value, -oVALUE, -o=VALUE, flags, several flags
 * in one word, "--" ends options. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option help_option = { "--help", 'h', NULL, "Show this text" };

static const option *find_long(const command *cmd, const char *word, size_t length)
{
    for (const option *o = cmd->options; o && o->name; ++o) {
        if (strlen(o->name) == length && strncmp(o->name, word, length) == 0) {
            return o;
        }
    }
    return NULL;
}

static const option *find_letter(const command *cmd, char letter)
{
    for (const option *o = cmd->options; o && o->name; ++o) {
        if (o->letter == letter) {
            return o;
        }
    }
    return NULL;
}

static bool unknown_option(const command *cmd, const char *word)
{
    const char *names[32] = { help_option.name };
    size_t count = 1;
    for (const option *o = cmd->options; o && o->name && count < 31; ++o) {
        names[count++] = o->name;
    }
    const char *nearest = nearest_name(word, names);
    complain("'carom %s' has no option '%s'%s%s%s; see 'carom %s --help'", cmd->name, word,
             nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "", cmd->name);
    return false;
}

static void add_value(arguments *args, const option *o, const char *value)
{
    args->options[args->value_count] = o;
    args->values[args->value_count] = value;
    args->value_count += 1;
}

/* The value of an option: attached to its word, or else the next word. One that begins with a dash is more often a
 * value forgotten than a value meant, so it must be attached. */
static bool take_value(arguments *args, const option *o, const char *attached, int count, char **words, int *i)
{
    if (attached) {
        add_value(args, o, attached);
        return true;
    }
    if (*i + 1 >= count) {
        complain("option '%s' needs a value: %s %s", o->name, o->name, o->argument);
        return false;
    }
    const char *next = words[*i + 1];
    if (next[0] == '-' && next[1] != '\0') {
        complain("option '%s' needs a value, and '%s' looks like an option; if it is the value, write '%s=%s'",
                 o->name, next, o->name, next);
        return false;
    }
    *i += 1;
    add_value(args, o, next);
    return true;
}

static bool take_long(arguments *args, int count, char **words, int *i)
{
    const char *word = words[*i];
    size_t length = strcspn(word, "=");
    const option *o = find_long(args->command, word, length);
    const char *attached = word[length] ? word + length + 1 : NULL;
    if (!o) {
        return unknown_option(args->command, word);
    }
    if (o->argument) {
        return take_value(args, o, attached, count, words, i);
    }
    if (attached) {
        complain("option '%s' takes no value", o->name);
        return false;
    }
    add_value(args, o, NULL);
    return true;
}

/* "-q", "-j2", "-j=2", "-qj 2": flags may stand together, the last letter may take a value. */
static bool take_letters(arguments *args, int count, char **words, int *i)
{
    const char *word = words[*i];
    for (const char *letter = word + 1; *letter; ++letter) {
        const option *o = find_letter(args->command, *letter);
        if (!o && letter == word + 1) {
            return unknown_option(args->command, word);
        }
        if (!o) {
            complain("'carom %s' has no option '-%c' (in '%s'); see 'carom %s --help'", args->command->name, *letter,
                     word, args->command->name);
            return false;
        }
        if (o->argument) {
            const char *rest = letter[1] == '=' ? letter + 2 : letter + 1;
            return take_value(args, o, letter[1] ? rest : NULL, count, words, i);
        }
        if (letter[1] == '=') {
            complain("option '-%c' takes no value", *letter);
            return false;
        }
        add_value(args, o, NULL);
    }
    return true;
}

/* Takes the option at words[*i], and the next word where it is the option's value. */
static bool take_option(arguments *args, int count, char **words, int *i)
{
    return words[*i][1] == '-' ? take_long(args, count, words, i) : take_letters(args, count, words, i);
}

static bool check_operands(const arguments *args)
{
    const command *cmd = args->command;
    if (args->operand_count >= cmd->min_operands && args->operand_count <= cmd->max_operands) {
        return true;
    }
    if (args->operand_count < cmd->min_operands) {
        complain("'carom %s' needs %s; see 'carom %s --help'", cmd->name, cmd->operands, cmd->name);
    } else {
        complain("'carom %s' does not know what to do with '%s'; see 'carom %s --help'", cmd->name,
                 args->operands[cmd->max_operands], cmd->name);
    }
    return false;
}

/* A word of letters may hold as many flags. */
static size_t most_options(int count, char **words)
{
    size_t most = 1;
    for (int i = 0; i < count; ++i) {
        most += strlen(words[i]);
    }
    return most;
}

bool arguments_parse(arguments *args, const command *cmd, int count, char **words)
{
    *args = (arguments){ .command = cmd };
    args->operands = allocate((size_t)count + 1, sizeof *args->operands);
    size_t most = most_options(count, words);
    args->options = allocate(most, sizeof *args->options);
    args->values = allocate(most, sizeof *args->values);
    bool only_operands = false;
    for (int i = 0; i < count; ++i) {
        bool is_option = !only_operands && words[i][0] == '-' && words[i][1] != '\0';
        if (is_option && strcmp(words[i], "--") == 0) {
            only_operands = true;
        } else if (!is_option) {
            args->operands[args->operand_count++] = words[i];
        } else if (!take_option(args, count, words, &i)) {
            return false;
        }
    }
    return check_operands(args);
}

void arguments_free(arguments *args)
{
    free(args->operands);
    free(args->options);
    free(args->values);
}

const char *arguments_text(const arguments *args, const char *name)
{
    for (int i = args->value_count; i-- > 0;) {
        if (strcmp(args->options[i]->name, name) == 0) {
            return args->values[i];
        }
    }
    return NULL;
}

bool arguments_have(const arguments *args, const char *name)
{
    for (int i = 0; i < args->value_count; ++i) {
        if (strcmp(args->options[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool arguments_number(const arguments *args, const char *name, double low, double high, double *out)
{
    const char *text = arguments_text(args, name);
    if (!text) {
        return true;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < low || value > high) {
        complain("option '%s' needs a number from %g to %g, not '%s'", name, low, high, text);
        return false;
    }
    *out = value;
    return true;
}

const char **arguments_list(const arguments *args, const char *name, size_t *count)
{
    const char **list = allocate((size_t)args->value_count + 2, sizeof *list); /* room for one more of the caller's */
    *count = 0;
    for (int i = 0; i < args->value_count; ++i) {
        if (strcmp(args->options[i]->name, name) == 0) {
            list[(*count)++] = args->values[i];
        }
    }
    return list;
}

static void print_option(const option *o)
{
    char left[64];
    char letter[8] = "    ";
    if (o->letter) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(left, sizeof left, "%s%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    printf("  %-28s  %s\n", left, o->help);
}

void print_command_help(const command *cmd)
{
    printf("carom %s: %s\n\nUsage: carom %s%s%s%s\n\nOptions:\n", cmd->name, cmd->summary, cmd->name,
           cmd->operands[0] ? " " : "", cmd->operands, cmd->options ? " [options]" : "");
    for (const option *o = cmd->options; o && o->name; ++o) {
        print_option(o);
    }
    print_option(&help_option);
    if (cmd->notes) {
        printf("\n%s\n", cmd->notes);
    }
    printf("\nExample:\n%s\n", cmd->example);
}

bool asks_for_help(int count, char **words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; ++i) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

int run_command(const command *cmd, int count, char **words)
{
    arguments args;
    if (cmd->run_words) {
        return cmd->run_words(count, words);
    }
    if (asks_for_help(count, words)) {
        print_command_help(cmd);
        return EXIT_DONE;
    }
    int code = arguments_parse(&args, cmd, count, words) ? cmd->run(&args) : EXIT_BAD_INPUT;
    arguments_free(&args);
    return code;
}
