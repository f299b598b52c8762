/* Comma separated values: signals by io/csv.c with a choice of frames, and events with a line for each.
 *
 * Events have names instead of codes and rows; a name that an event does not have is an empty field, a number 0. Numbers
 * have 17 digits, so that they read back exactly. */
#include <string.h>

#include "export/csv.h"
#include "export/export.h"

static carom_status csv_write(const export_job *job, carom_error *err)
{
    csv_rows rows = { .first = job->frames.first, .every = job->frames.every, .count = job->frames.count };
    return csv_write_rows(job->result, job->path, job->signals, job->signal_count, rows, job->report, err);
}

const export_writer export_csv = {
    .format = { .name = "csv",
                .extension = ".csv",
                .signals = true,
                .doc = "a table of signals; the first column is time" },
    .write = csv_write,
};

/* ---- events --------------------------------------------------------------------------------------------------------- */

static const char event_titles[] =
    "time [s],event,a,b,joint,mode,position.x [m],position.y [m],position.z [m],normal.x,normal.y,normal.z,"
    "speed [m/s],speed_after [m/s],slip.x [m/s],slip.y [m/s],slip.z [m/s],slip_after.x [m/s],slip_after.y [m/s],"
    "slip_after.z [m/s],impulse.x [N*s],impulse.y [N*s],impulse.z [N*s],impulse.normal [N*s],"
    "impulse.tangential [N*s],energy_lost [J],friction,friction_after\n";

enum { DIGITS = 17 };

static void put_number(output_file *out, double value)
{
    output_text(out, ",");
    output_number(out, value, DIGITS);
}

static void put_vector(output_file *out, carom_v3 a)
{
    put_number(out, a.x);
    put_number(out, a.y);
    put_number(out, a.z);
}

static void put_name(output_file *out, const char *name)
{
    output_text(out, ",");
    csv_field(out, name);
}

static void write_event(output_file *out, const carom_result *result, const carom_event *e)
{
    output_number(out, e->t, DIGITS);
    put_name(out, carom_result_event_name(result, e));
    put_name(out, carom_result_body_name(result, e->body[0]));
    put_name(out, carom_result_body_name(result, e->body[1]));
    put_name(out, e->joint >= 0 ? carom_result_joint_info(result, (size_t)e->joint).name : "");
    put_name(out, e->mode != CAROM_MODE_NONE ? carom_contact_mode_name(e->mode) : "");
    put_vector(out, e->position);
    put_vector(out, e->normal);
    put_number(out, e->speed);
    put_number(out, e->speed_after);
    put_vector(out, e->slip);
    put_vector(out, e->slip_after);
    put_vector(out, e->impulse);
    put_number(out, carom_event_normal_impulse(e));
    put_number(out, carom_event_tangential_impulse(e));
    put_number(out, e->energy_lost);
    put_name(out, e->friction != CAROM_FRICTION_NONE ? carom_friction_state_name(e->friction) : "");
    put_name(out, e->friction_after != CAROM_FRICTION_NONE ? carom_friction_state_name(e->friction_after) : "");
    output_text(out, "\n");
}

static carom_status events_write(const export_job *job, carom_error *err)
{
    const carom_event *events = carom_result_events(job->result);
    size_t count = carom_result_event_count(job->result);
    output_file out;
    carom_status status = strcmp(job->path, "-") == 0 ? output_standard(&out) : output_open(&out, job->path, err);
    if (status != CAROM_OK) {
        return status;
    }
    output_text(&out, event_titles);
    for (size_t i = 0; i < count && !ferror(out.file); ++i) {
        if (events[i].t >= job->from && events[i].t <= job->until) {
            write_event(&out, job->result, &events[i]);
            job->report->events += 1;
        }
    }
    return output_close(&out, status, job->report, err);
}

const export_writer export_events = {
    .format = { .name = "events", .extension = ".csv", .doc = "a table of events: impacts, touching, sticking" },
    .write = events_write,
};
