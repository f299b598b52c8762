/* carom completion: completion of commands and options for shells; carom man: the manual page. Both come from the tables of commands that
 * the program itself works from. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "examples.h"

/* ---- zsh ------------------------------------------------------------------------------------------------------------ */

/* Inside 'single quotes' of a list "name:meaning". */
static void put_zsh(const char *text)
{
    for (const char *c = text; *c; ++c) {
        if (*c == '\'') {
            fputs("'\\''", stdout);
        } else if (strchr(":[]\\", *c)) {
            printf("\\%c", *c);
        } else {
            putchar(*c);
        }
    }
}

static void zsh_option(const option *o)
{
    if (o->letter) {
        printf("      '(-%c %s)'{-%c,%s}'[", o->letter, o->name, o->letter, o->name);
    } else {
        printf("      '%s[", o->name);
    }
    put_zsh(o->help);
    fputs("]", stdout);
    if (o->argument) {
        fputs(":", stdout);
        put_zsh(o->argument);
        fputs(":_files", stdout);
    }
    puts("' \\");
}

static void print_zsh(void)
{
    puts("#compdef carom\n# Made by 'carom completion zsh'.\n_carom() {\n  local -a commands\n  commands=(");
    for (int i = 0; all_commands[i]; ++i) {
        printf("    '%s:", all_commands[i]->name);
        put_zsh(all_commands[i]->summary);
        puts("'");
    }
    puts("  )\n  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in");
    for (int i = 0; all_commands[i]; ++i) {
        printf("  %s)\n    _arguments -s \\\n", all_commands[i]->name);
        for (const option *o = all_commands[i]->options; o && o->name; ++o) {
            zsh_option(o);
        }
        if (strcmp(all_commands[i]->name, "examples") == 0) {
            puts("      '1:example:($(carom examples --names 2>/dev/null))' \\");
        }
        puts("      '--help[options and an example]' '*:file:_files'\n    ;;");
    }
    puts("  esac\n}\ncompdef _carom carom");
}

/* ---- fish ----------------------------------------------------------------------------------------------------------- */

static void put_fish(const char *text)
{
    putchar('\'');
    for (const char *c = text; *c; ++c) {
        if (*c == '\'' || *c == '\\') {
            putchar('\\');
        }
        putchar(*c);
    }
    putchar('\'');
}

static void print_fish(void)
{
    puts(
        "# Made by 'carom completion fish'.\ncomplete -c carom -n __fish_use_subcommand -f -a help -d 'commands and options'");
    for (int i = 0; all_commands[i]; ++i) {
        printf("complete -c carom -n __fish_use_subcommand -f -a %s -d ", all_commands[i]->name);
        put_fish(all_commands[i]->summary);
        puts("");
    }
    for (int i = 0; all_commands[i]; ++i) {
        for (const option *o = all_commands[i]->options; o && o->name; ++o) {
            printf("complete -c carom -n '__fish_seen_subcommand_from %s' -l %s", all_commands[i]->name, o->name + 2);
            if (o->letter) {
                printf(" -s %c", o->letter);
            }
            fputs(o->argument ? " -r -d " : " -d ", stdout);
            put_fish(o->help);
            puts("");
        }
    }
    puts("complete -c carom -n '__fish_seen_subcommand_from examples' -f -a '(carom examples --names)'");
}

/* ---- bash, which asks the program when it is used ------------------------------------------------------------------ */

static void print_bash(void)
{
    for (const example_file *file = completion_files; file->path; ++file) {
        if (strcmp(file->path, "carom.bash") == 0) {
            fwrite(file->data, 1, file->size, stdout);
        }
    }
}

static const struct {
    const char *name;
    void (*print)(void);
} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

static int completion(const arguments *args)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i) {
        if (strcmp(shells[i].name, args->operands[0]) == 0) {
            shells[i].print();
            return EXIT_DONE;
        }
    }
    complain("there is no completion for '%s'; there is for bash, zsh and fish", args->operands[0]);
    return EXIT_BAD_INPUT;
}

const command command_completion = {
    .name = "completion",
    .summary = "print completion of commands and options for a shell",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .example = "  source <(carom completion bash)\n"
               "  carom completion zsh > ~/.zfunc/_carom\n"
               "  carom completion fish > ~/.config/fish/completions/carom.fish",
    .run = completion,
};

/* ---- the manual page -------------------------------------------------------------------------------------------------- */

/* Text of roff: backslashes and hyphens as they are, no line that begins with a control character. */
static void put_roff(const char *text)
{
    bool begins = true;
    for (const char *c = text; *c; ++c) {
        if (begins && (*c == '.' || *c == '\'')) {
            fputs("\\&", stdout);
        }
        fputs(*c == '\\' ? "\\e" : *c == '-' ? "\\-" : "", stdout);
        if (*c != '\\' && *c != '-') {
            putchar(*c);
        }
        begins = *c == '\n';
    }
}

static void man_option(const option *o)
{
    puts(".TP");
    fputs(".B ", stdout);
    if (o->letter) {
        printf("\\-%c, ", o->letter);
    }
    put_roff(o->name);
    if (o->argument) {
        fputs(" \\fI", stdout);
        put_roff(o->argument);
        fputs("\\fR", stdout);
    }
    puts("");
    put_roff(o->help);
    puts("");
}

static void man_command(const command *cmd)
{
    fputs(".SS carom ", stdout);
    put_roff(cmd->name);
    putchar(' ');
    put_roff(cmd->operands ? cmd->operands : "");
    puts("");
    putchar(toupper((unsigned char)cmd->summary[0]));
    put_roff(cmd->summary + 1);
    puts(".");
    if (cmd->notes) {
        puts(".PP");
        put_roff(cmd->notes);
        puts("");
    }
    for (const option *o = cmd->options; o && o->name; ++o) {
        man_option(o);
    }
    if (cmd->example) {
        puts(".PP\n.nf");
        put_roff(cmd->example);
        puts("\n.fi");
    }
}

static int man(const arguments *args)
{
    (void)args;
    printf(".TH CAROM 1 \"\" \"carom %s\" \"User commands\"\n", CAROM_VERSION);
    puts(".SH NAME\ncarom \\- contact and impact dynamics of multibody systems\n"
         ".SH SYNOPSIS\n.B carom\n.I COMMAND\n[arguments]\n.SH COMMANDS");
    for (int i = 0; all_commands[i]; ++i) {
        man_command(all_commands[i]);
    }
    puts(".SH EXIT STATUS\n"
         "0 done, 1 a check failed, 2 bad input, 3 the solver gave up, 130 interrupted (Ctrl\\-C, SIGTERM).\n"
         ".SH ENVIRONMENT\n.TP\n.B CAROM_CACHE\nFolder of distance fields and modes that were made before.");
    return EXIT_DONE;
}

const command command_man = {
    .name = "man",
    .summary = "print the manual page of all commands",
    .operands = "",
    .example = "  carom man | man -l -",
    .run = man,
};
