/* Options of the method: what scenes write under "contact". */
#include "methods/impact/options.h"

#include "base/error_list.h"
#include "dynamics/integrator.h"
#include "nonsmooth/strike.h"

const impact_options impact_defaults = { .rule = STRIKE_SHARING, .exponent = 1.5 };

static const char *const rule_names[] = { "sharing", "together", "sequential", NULL };

static const char *const stepping_names[] = { "events", "fixed", NULL };

const carom_field impact_fields[] = {
    { .name = "stepping",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(impact_options, stepping),
      .names = stepping_names,
      .doc =
          "events, by default: steps end at impacts and wherever contacts begin, end, stick or slip, exact for few "
          "contacts. fixed: steps of time.step with impulses for all that happens within them, for many contacts; "
          "time.preset says how exactly they are solved (fast, balanced, accurate)." },
    { .name = "tolerance",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, tolerance),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Of fixed steps: how exactly contacts are solved, as an error of velocities over the fastest approach, or over what gravity gives "
          "in a step. By default 1e-8." },
    { .name = "impact_speed",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, impact_speed),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Of fixed steps: approaches slower than this [m/s] are no impacts and give nothing back. By default what gravity "
          "gives in five steps." },
    { .name = "several",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(impact_options, rule),
      .names = rule_names,
      .doc =
          "How several contacts are struck at one instant, which rigid bodies leave open: sharing stores and gives "
          "back energy in all of them at once, as a chain of springs would; together solves compression and "
          "expansion of all as two complementarity problems; sequential lets one follow the other, the fastest "
          "first, as bodies with the tiniest gaps would." },
    { .name = "exponent",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, exponent),
      .flags = CAROM_POSITIVE,
      .doc = "Of force over compression where impacts share energy: 1.5 as Hertz has it, by default, or 1." },
    { .name = "rest_time",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(impact_options, rest_time),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_POSITIVE,
      .doc = "Flights between two impacts shorter than this end in lasting contact: infinitely many ever smaller "
             "impacts come to an end there. By default a billionth of the run." },
    { .name = NULL },
};

void impact_set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->facets = true;
    out->cache = NULL;
}

carom_status impact_check(const carom_model *model, const void *options, carom_error *err)
{
    const impact_options *o = options;
    carom_status status = CAROM_OK;
    if (!(o->exponent >= 1.0 && o->exponent <= 3.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.exponent must be between 1 and 3, not %g", o->exponent);
        status = model_blame_setting(model, "contact.exponent", CAROM_BAD_INPUT, err);
    }
    return error_worse(status, dynamics_check(model, err));
}
