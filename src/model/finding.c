/* The table of findings, the list of a step, the totals of a run. */
#include "model/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/finding_kinds.h"

/* {place}, {number}, {limit}, {count} and {time} (of the worst) and {first} are filled in. */
const finding_kind_entry finding_kinds[CAROM_FINDINGS] = {
#include "model/finding_kinds.inc"
};

const char *carom_severity_name(carom_severity severity)
{
    static const char *const names[CAROM_SEVERITIES] = { "note", "warning", "wrong" };
    return severity >= 0 && severity < CAROM_SEVERITIES ? names[severity] : "unknown";
}

const char *carom_finding_kind_name(carom_finding_kind kind)
{
    return kind >= 0 && kind < CAROM_FINDINGS ? finding_kinds[kind].name : "unknown";
}

carom_finding_kind finding_kind_find(const char *name)
{
    int kind = 0;
    while (kind < CAROM_FINDINGS && (!name || strcmp(finding_kinds[kind].name, name) != 0)) {
        ++kind;
    }
    return (carom_finding_kind)kind;
}

carom_severity finding_severity(const finding *f)
{
    const finding_kind_entry *kind = &finding_kinds[f->kind];
    bool wrong = kind->wrong_at > 0.0 && fabs(f->number) >= kind->wrong_at * fabs(f->limit);
    return wrong ? CAROM_SEVERITY_WRONG : kind->severity;
}

/* ---- the list of a step ------------------------------------------------------------------------------------------- */

void finding_note(finding_list *list, carom_finding_kind kind, finding_place place, double number, double limit,
                  double t)
{
    if (!CAROM_ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
        list->lost = true;
        return;
    }
    list->items[list->count++] = (finding){
        .kind = (int32_t)kind, .place = place, .count = 1, .number = number, .limit = limit, .first = t, .worst = t
    };
}

int finding_count_fallbacks(const finding_list *list)
{
    int count = 0;
    for (size_t i = 0; i < list->count; ++i) {
        count += finding_is_fallback(&list->items[i]);
    }
    return count;
}

/* ---- totals of a run ---------------------------------------------------------------------------------------------- */

static int compare(const finding *x, const finding *y)
{
    const int32_t a[] = { x->kind, x->place.where, x->place.a, x->place.b };
    const int32_t b[] = { y->kind, y->place.where, y->place.a, y->place.b };
    for (int k = 0; k < 4; ++k) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

/* Where the finding is, or belongs. */
static size_t place_of(const finding_totals *totals, const finding *f)
{
    size_t low = 0;
    size_t high = totals->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = compare(&totals->items[middle], f) < 0;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return low;
}

static size_t places_of_kind(const finding_totals *totals, int32_t kind)
{
    size_t count = 0;
    for (size_t i = 0; i < totals->count; ++i) {
        count += totals->items[i].kind == kind && totals->items[i].place.where != FINDING_OTHERS;
    }
    return count;
}

/* Numbers are worse when larger beside what they are compared with. */
static double badness(const finding *f)
{
    return f->limit != 0.0 && isfinite(f->limit) ? fabs(f->number / f->limit) : fabs(f->number);
}

static void merge(finding *into, const finding *f)
{
    into->count += f->count;
    into->first = fmin(into->first, f->first);
    if (badness(f) > badness(into) || (isnan(into->number) && !isnan(f->number))) {
        into->number = f->number;
        into->limit = f->limit;
        into->worst = f->worst;
    }
}

bool finding_totals_reserve(finding_totals *totals, size_t count)
{
    return CAROM_ARRAY_RESERVE(totals->items, totals->capacity, count);
}

static bool is_known(const finding_totals *totals, size_t at, const finding *f)
{
    return at < totals->count && compare(&totals->items[at], f) == 0;
}

bool finding_totals_add(finding_totals *totals, const finding *f)
{
    finding new = *f;
    size_t at = place_of(totals, &new);
    if (!is_known(totals, at, &new) && places_of_kind(totals, f->kind) >= FINDING_PLACES_MOST) {
        new.place = (finding_place){ FINDING_OTHERS, 0, 0 };
        at = place_of(totals, &new);
    }
    if (is_known(totals, at, &new)) {
        merge(&totals->items[at], &new);
        return true;
    }
    if (!finding_totals_reserve(totals, totals->count + 1)) {
        return false;
    }
    memmove(&totals->items[at + 1], &totals->items[at], (totals->count - at) * sizeof new);
    totals->items[at] = new;
    totals->count += 1;
    return true;
}
