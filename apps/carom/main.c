/* The program: finds the subcommand and gives it its arguments. */
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"

#ifndef CAROM_COMPONENTS
#define CAROM_COMPONENTS "unknown components"
#endif
#ifndef CAROM_COMPILER
#define CAROM_COMPILER "unknown compiler"
#endif

const command *const all_commands[] = { &command_run,
                                        &command_sweep,
                                        &command_check,
                                        &command_examples,
                                        &command_resume,
                                        &command_info,
                                        &command_view,
                                        &command_compare,
                                        &command_export,
                                        &command_plot,
                                        &command_render,
                                        &command_papers,
                                        &command_import,
                                        &command_fmu,
                                        &command_schema,
                                        &command_sdf,
                                        &command_mesh,
                                        &command_modes,
                                        &command_new,
                                        &command_doctor,
                                        &command_completion,
                                        &command_man,
                                        NULL };

static const command *find_command(const char *name)
{
    for (int i = 0; all_commands[i]; ++i) {
        if (strcmp(all_commands[i]->name, name) == 0) {
            return all_commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    enum { NAMES = 32 }; /* more than there are */
    const char *names[NAMES] = { "help" };
    for (int i = 0; all_commands[i] && i < NAMES - 2; ++i) {
        names[i + 1] = all_commands[i]->name;
    }
    const char *nearest = nearest_name(name, names);
    complain("there is no command '%s'%s%s%s; 'carom help' lists them", name, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_BAD_INPUT;
}

static void print_help(void)
{
    puts("carom: contact and impact dynamics of multibody systems\n\n"
         "Usage: carom COMMAND [arguments]\n\nCommands:");
    for (int i = 0; all_commands[i]; ++i) {
        printf("  %-10s %s\n", all_commands[i]->name, all_commands[i]->summary);
    }
    puts("\n'carom COMMAND --help' shows options and an example; 'carom --version' what is built in.\n"
         "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 the solver gave up, 130 interrupted (Ctrl-C, "
         "SIGTERM).\n\n"
         "Start here:\n  carom examples pendulum && carom run pendulum.json && carom info results/pendulum");
}

static int show_help(int count, char **words)
{
    if (count == 0) {
        print_help();
        return EXIT_DONE;
    }
    const command *cmd = find_command(words[0]);
    if (!cmd) {
        return unknown_command(words[0]);
    }
    print_command_help(cmd);
    return EXIT_DONE;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int dispatch(int count, char **words)
{
    if (count == 0) {
        print_help();
        return EXIT_BAD_INPUT;
    }
    if (is_one_of(words[0], "help", "--help", "-h")) {
        return show_help(count - 1, words + 1);
    }
    if (is_one_of(words[0], "version", "--version", "-V")) {
        printf("carom %s\nscene format %d; built with %s\n%s\nmesh files: %s\n", CAROM_VERSION, CAROM_SCENE_VERSION,
               CAROM_COMPILER, CAROM_COMPONENTS, carom_mesh_formats());
        return EXIT_DONE;
    }
    const command *cmd = find_command(words[0]);
    return cmd ? run_command(cmd, count - 1, words + 1) : unknown_command(words[0]);
}

int main(int argc, char **argv)
{
    interrupt_install();
    signal(SIGXFSZ, SIG_IGN); /* a limit on file size is then an error of the write, like a full disk */
    return finish_output(dispatch(argc - 1, argv + 1));
}
