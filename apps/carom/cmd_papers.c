/* carom papers: reproduces what papers report, and says how far off it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_run.h"
#include "folder.h"
#include "json_out.h"
#include "paper.h"
#include "table.h"

const paper *const all_papers[] = { &paper_1, &paper_2, &paper_3, &paper_4, &paper_5, NULL };

/* ---- the list --------------------------------------------------------------------------------------------------- */

static void time_cell(table *t, double seconds)
{
    if (seconds < 60.0) {
        table_cell(t, "%.2g s", seconds);
    } else {
        table_cell(t, "%.2g min", seconds / 60.0);
    }
}

static void list_items(const paper *p)
{
    static const char *const titles[] = { "item", "compares", "takes", "--quick", "--full" };
    table t;
    table_init(&t, 5, titles, "llrrr");
    for (const paper_item *item = p->items; item->name; ++item) {
        table_cell(&t, "%s", item->name);
        table_cell(&t, "%s", item->compares);
        time_cell(&t, item->seconds);
        time_cell(&t, item->quick_seconds > 0.0 ? item->quick_seconds : item->seconds);
        time_cell(&t, item->full_seconds > 0.0 ? item->full_seconds : item->seconds);
    }
    table_print(&t);
}

static int list_papers(void)
{
    for (int i = 0; all_papers[i]; ++i) {
        print_heading("Paper %d: %s", all_papers[i]->number, all_papers[i]->title);
        print_line("  %s", all_papers[i]->source);
        list_items(all_papers[i]);
    }
    puts("\n'carom papers N' reproduces one.");
    return EXIT_DONE;
}

static int tell_papers(void)
{
    json_begin("papers");
    json_open("papers", '[');
    for (int i = 0; all_papers[i]; ++i) {
        const paper *p = all_papers[i];
        json_open(NULL, '{');
        json_number("paper", p->number);
        json_text("title", p->title);
        json_text("source", p->source);
        json_open("items", '[');
        for (const paper_item *item = p->items; item->name; ++item) {
            json_open(NULL, '{');
            json_text("name", item->name);
            json_text("compares", item->compares);
            json_number("seconds", item->seconds);
            json_close('}');
        }
        json_close(']');
        json_close('}');
    }
    json_close(']');
    json_end();
    return EXIT_DONE;
}

/* ---- reproducing ------------------------------------------------------------------------------------------------ */

static const paper *find_paper(const char *word)
{
    char *end = NULL;
    long number = strtol(word, &end, 10);
    for (int i = 0; *word && *end == '\0' && all_papers[i]; ++i) {
        if (all_papers[i]->number == number) {
            return all_papers[i];
        }
    }
    complain("there is no paper '%s'; 'carom papers' lists them", word);
    return NULL;
}

static bool has_item(const paper *p, const char *name)
{
    for (const paper_item *item = p->items; item->name; ++item) {
        if (strcmp(item->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether one of the papers that are asked for has the item; complains when not. */
static bool item_exists(const arguments *args, const char *name)
{
    bool found = false;
    for (int i = 0; i < args->operand_count; ++i) {
        found = found || has_item(find_paper(args->operands[i]), name);
    }
    if (!found) {
        complain("there is no item '%s'; 'carom papers' lists them", name);
    }
    return found;
}

/* Before anything is run: it may take long. */
static bool all_exist(const arguments *args, const paper_options *options)
{
    bool ok = true;
    for (int i = 0; ok && i < args->operand_count; ++i) {
        ok = find_paper(args->operands[i]) != NULL;
    }
    for (size_t k = 0; ok && k < options->item_count; ++k) {
        ok = item_exists(args, options->items[k]);
    }
    return ok;
}

/* The folder that is named, for one paper; for several, one within it for each. */
static char *folder_of(const arguments *args, const paper *p)
{
    const char *chosen = arguments_text(args, "--output");
    if (!chosen) {
        return format_text("results/papers-%d", p->number);
    }
    return args->operand_count == 1 ? copy_text(chosen) : format_text("%s/papers-%d", chosen, p->number);
}

static int reproduce(const arguments *args, const paper *p, paper_options options)
{
    char *folder = folder_of(args, p);
    int lock = -1;
    options.folder = folder;
    int code = paper_make_folder(folder);
    if (code == EXIT_DONE && !folder_lock(folder, &lock)) {
        code = EXIT_BAD_INPUT;
    }
    if (code == EXIT_DONE) {
        code = paper_reproduce(p, &options);
        folder_unlock(lock);
    }
    free(folder);
    return code;
}

static int reproduce_all(const arguments *args, const paper_options *options)
{
    int worst = EXIT_DONE;
    if (options->for_programs) {
        json_begin("papers");
        json_open("papers", '[');
    }
    for (int i = 0; i < args->operand_count && worst != EXIT_INTERRUPTED; ++i) {
        int code = reproduce(args, find_paper(args->operands[i]), *options);
        worst = code > worst ? code : worst;
    }
    if (options->for_programs) {
        json_close(']');
        json_end();
    }
    return worst;
}

static int papers(const arguments *args)
{
    carom_run_options run = { 0 };
    paper_options options = { .quick = arguments_have(args, "--quick"), .full = arguments_have(args, "--full") };
    options.for_programs = arguments_have(args, "--json");
    if (args->operand_count == 0) {
        return options.for_programs ? tell_papers() : list_papers();
    }
    if (options.quick && options.full) {
        complain("--quick and --full exclude each other; leave one out");
        return EXIT_BAD_INPUT;
    }
    if (!read_run_options(args, &run)) {
        return EXIT_BAD_INPUT;
    }
    options.threads = run.threads;
    options.items = arguments_list(args, "--item", &options.item_count);
    int code = all_exist(args, &options) ? reproduce_all(args, &options) : EXIT_BAD_INPUT;
    free(options.items);
    return code;
}

static const option options[] = {
    { "--output", 'o', "DIR", "Folder for plots, tables and results (default: results/papers-N)" },
    { "--quick", 'k', NULL, "Coarser and shorter where an item offers it" },
    { "--full", 'f', NULL, "The paper's own sizes where an item is smaller by default" },
    { "--item", 'i', "NAME", "Only this item; may be repeated" },
    { "--threads", 'j', "N", "Threads (default 1; the results do not depend on it)" },
    { "--json", 0, NULL, "One JSON object for programs instead of text" },
    { NULL, 0, NULL, NULL },
};

const command command_papers = {
    .name = "papers",
    .summary = "list the papers that can be reproduced, or reproduce some",
    .operands = "[N...]",
    .max_operands = 16,
    .options = options,
    .notes =
        "Each item runs scenes and compares numbers with those of the paper or with exact ones. The folder receives\n"
        "plots (SVG, PNG), tables (CSV), the scenes, their results and summary.json with every comparison. Exit code "
        "1\n"
        "means that one is out of tolerance.",
    .example = "  carom papers\n  carom papers 1 --quick -o reproduction",
    .run = papers,
};
