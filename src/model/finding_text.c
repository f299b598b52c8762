/* Findings as users see them: names of bodies and joints, sentences with numbers and units, gravest first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/finding.h"
#include "model/finding_kinds.h"
#include "model/model.h"

static const char *place_text(carom_arena *arena, const carom_model *model, finding_place p)
{
    static const char *const axes[] = { "", " along x", " along y", " along z" };
    switch (p.where) {
    case FINDING_BODY:
        return carom_arena_printf(arena, "'%s'%s", model->bodies[p.a].name, axes[p.b]);
    case FINDING_PAIR:
        return carom_arena_printf(arena, "'%s' and '%s'", model->bodies[p.a].name, model->bodies[p.b].name);
    case FINDING_JOINT:
        return carom_arena_printf(arena, "joint '%s'", model->joints[p.a].name);
    case FINDING_OTHERS:
        return "other places";
    default:
        return "the run";
    }
}

static const char *number_text(carom_arena *arena, double value, const char *unit)
{
    return carom_arena_printf(arena, "%.3g%s%s", value, *unit ? " " : "", unit);
}

typedef struct filling {
    const char *word, *text;
} filling;

/* What stands for the words in braces at `at`; NULL: nothing does. */
static const filling *filling_at(const filling *all, int count, const char *at)
{
    for (int k = 0; k < count; ++k) {
        if (strncmp(at, all[k].word, strlen(all[k].word)) == 0) {
            return &all[k];
        }
    }
    return NULL;
}

/* The sentence with everything filled in. */
static const char *fill(carom_arena *arena, const char *sentence, const filling *all, int count)
{
    size_t bytes = 1;
    for (const char *c = sentence; *c; ++c) {
        const filling *f = filling_at(all, count, c);
        bytes += f && f->text ? strlen(f->text) : 1;
    }
    char *out = carom_arena_alloc(arena, bytes);
    char *to = out;
    for (const char *c = sentence; out && *c;) {
        const filling *f = filling_at(all, count, c);
        size_t take = f && f->text ? strlen(f->text) : 1;
        memcpy(to, f && f->text ? f->text : c, take);
        to += take;
        c += f ? strlen(f->word) : 1;
    }
    return out;
}

static carom_finding tell(carom_arena *arena, const carom_model *model, const finding *f)
{
    const finding_kind_entry *kind = &finding_kinds[f->kind];
    const char *place = place_text(arena, model, f->place);
    const filling words[] = { { "{place}", place },
                              { "{number}", number_text(arena, f->number, kind->unit) },
                              { "{limit}", number_text(arena, f->limit, kind->unit) },
                              { "{count}", carom_arena_printf(arena, "%lld", (long long)f->count) },
                              { "{time}", carom_arena_printf(arena, "%.6g s", f->worst) },
                              { "{first}", carom_arena_printf(arena, "%.6g s", f->first) } };
    const int word_count = (int)(sizeof words / sizeof *words);
    return (carom_finding){ .kind = (carom_finding_kind)f->kind,
                            .name = kind->name,
                            .severity = finding_severity(f),
                            .place = place,
                            .text = arena->failed ? NULL : fill(arena, kind->sentence, words, word_count),
                            .remedy = kind->remedy,
                            .count = (long)f->count,
                            .number = f->number,
                            .limit = f->limit,
                            .unit = kind->unit,
                            .first = f->first,
                            .worst = f->worst };
}

/* Gravest first, then in the order of kinds and places, which is that of the totals. */
static void sort(carom_finding *items, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        carom_finding moved = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1].severity < moved.severity; --k) {
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

carom_findings *findings_tell(const carom_model *model, const finding *items, size_t count)
{
    carom_findings *list = calloc(1, sizeof *list);
    if (!list) {
        return NULL;
    }
    list->items = CAROM_ARENA_ARRAY(&list->arena, carom_finding, count + 1);
    for (size_t i = 0; i < count && !list->arena.failed; ++i) {
        list->items[i] = tell(&list->arena, model, &items[i]);
    }
    if (list->arena.failed) {
        carom_findings_destroy(list);
        return NULL;
    }
    list->count = count;
    sort(list->items, count);
    return list;
}

size_t carom_findings_count(const carom_findings *list)
{
    return list ? list->count : 0;
}

const carom_finding *carom_findings_at(const carom_findings *list, size_t i)
{
    return i < carom_findings_count(list) ? &list->items[i] : NULL;
}

void carom_findings_destroy(carom_findings *list)
{
    if (list) {
        carom_arena_free(&list->arena);
        free(list);
    }
}
