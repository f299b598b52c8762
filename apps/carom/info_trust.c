/* What a balance cannot see, as the run has found it. */
#include "info.h"

#include <stdio.h>

static verdict verdict_of(const carom_finding *f)
{
    static const verdict by_severity[CAROM_SEVERITIES] = { VERDICT_GOOD, VERDICT_DOUBTFUL, VERDICT_BAD };
    return by_severity[f->severity];
}

static void print_finding(const carom_finding *f)
{
    char times[80] = "";
    if (f->count > 1) {
        snprintf(times, sizeof times, " (%ld times, first at t = %.6g s)", f->count, f->first);
    }
    print_coloured(verdict_of(f), "%-8s %s%s", carom_severity_name(f->severity), f->text, times);
    print_wrapped(4, "  %s", f->remedy);
}

void info_print_trust(const info *i)
{
    carom_error err = { 0 };
    carom_findings *found = NULL;
    require_ok(carom_result_findings(i->result, &found, &err), &err);
    size_t count = carom_findings_count(found);
    if (count > 0) {
        print_heading("%zu finding%s about how far this can be trusted", count, count == 1 ? "" : "s");
    }
    for (size_t k = 0; k < count; ++k) {
        print_finding(carom_findings_at(found, k));
    }
    carom_findings_destroy(found);
}
