/* Command lines against a command's table: --name value, --name=value, -o value, -oVALUE, flags, "--" ends options. */
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

/* Takes the option at words[*i], and the next word where it is the option's value. */
static bool take_option(arguments *args, int count, char **words, int *i)
{
    const command *cmd = args->command;
    const char *word = words[*i];
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word, "=") : 2;
    const option *o = is_long ? find_long(cmd, word, length) : find_letter(cmd, word[1]);
    const char *attached = word[length] ? word + length + (is_long ? 1 : 0) : NULL;
    if (!o) {
        return unknown_option(cmd, word);
    }
    if (!o->argument) {
        if (attached) {
            complain("option '%s' takes no value", o->name);
            return false;
        }
        add_value(args, o, NULL);
        return true;
    }
    if (!attached && *i + 1 >= count) {
        complain("option '%s' needs a value: %s %s", o->name, o->name, o->argument);
        return false;
    }
    add_value(args, o, attached ? attached : words[++*i]);
    return true;
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

bool arguments_parse(arguments *args, const command *cmd, int count, char **words)
{
    *args = (arguments){ .command = cmd };
    args->operands = allocate((size_t)count + 1, sizeof *args->operands);
    args->options = allocate((size_t)count + 1, sizeof *args->options);
    args->values = allocate((size_t)count + 1, sizeof *args->values);
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
