/* Slider-crank with a loose small end under "impact" [Flores2004; benchmarks]: crank 0.05 m, rod 0.12 m, journal 9.5 mm in
 * a bearing of 10 mm, restitution 0.9, 5000 rpm. The motion is chaotic and no trace is exact; certain at every moment is:
 * the journal stays inside its bearing, a slider whose pin is off by (x, y) is where the linkage says, energy is accounted
 * for, and what is lost is what drives. Two methods share statistics. The long run is tests/soak/run's. */
#include "support/scratch_folder.h"
#include "support/sim.h"

#include "slider_crank.h"

static const double PLAY = 0.5e-3;
static const double TURN = 0.012; /* [s] */
static const double OMEGA = 523.5987755982989;

static const char *const scene =
    "{ \"carom\": 1, \"time\": {\"end\": 0.036},"
    "  \"contact\": {\"method\": \"impact\", \"restitution\": 0.9, \"friction\": {\"coulomb\": 0.01}}," SLIDER_CRANK
    ","
    "  \"record\": {\"every\": 1e-5, \"signals\": [\"small end.x\", \"small end.y\", \"cylinder.travel\"]} }";

/* Where the slider is when the end of the rod is at y across its line of motion and x ahead of the slider's own point. */
static double linkage_travel(double t, double x, double y)
{
    double across = y - 0.05 * sin(OMEGA * t);
    return 0.05 * cos(OMEGA * t) + sqrt(0.12 * 0.12 - across * across) - x - 0.17;
}

typedef struct excursion {
    double orbit;     /* [m] largest offset of the journal */
    double off;       /* [m] slider from where the linkage puts it */
    double unbalance; /* [J] */
} excursion;

static void look(const sim *s, excursion *e)
{
    double x = sim_signal(s, "small end.x");
    double y = sim_signal(s, "small end.y");
    double should = linkage_travel(sim_time(s), x, y);
    e->orbit = fmax(e->orbit, hypot(x, y));
    e->off = fmax(e->off, fabs(sim_signal(s, "cylinder.travel") - should));
    e->unbalance = fmax(e->unbalance, fabs(sim_ledger(s).residue));
}

static void check_steps(const char *friction, bool rubs)
{
    const char *overrides[] = { friction, NULL };
    excursion e = { 0 };
    sim s = sim_parse(scene, overrides);
    while (sim_before(&s, 2.0 * TURN)) {
        sim_step(&s, 2.0 * TURN);
        look(&s, &e);
    }
    carom_ledger ledger = sim_ledger(&s);
    printf("\nslider-crank, two turns at 5000 rpm, %s: %.3f J lost by impacts, %.3f J by friction\n", friction,
           ledger.lost_impact, ledger.lost_friction);
    table_mark("journal beyond its bearing [m]", e.orbit - PLAY, 1e-9);
    table_mark("slider off the linkage [m]", e.off, 1e-9);
    table_mark("energy that is not accounted for [J]", e.unbalance, 1e-3);
    table_cost(&s, 0.0);
    CHECK_LE(e.orbit - PLAY, 1e-9);
    CHECK_GE(e.orbit - PLAY, -1e-6);
    CHECK_LE(e.off, 1e-9);
    CHECK_LE(e.unbalance, 1e-3); /* of 170 J */
    CHECK_GE(ledger.lost_impact, 0.1);
    CHECK(rubs == (ledger.lost_friction > 0.01));
    sim_end(&s);
}

TEST(clearance_impact, the_journal_stays_in_its_bearing)
{
    check_steps("contact.friction.coulomb=0", false);
    check_steps("contact.friction.coulomb=0.01", true);
    check_steps("contact.friction.coulomb=0.1", true);
}

/* ---- frames and events of a run --------------------------------------------------------------------------------- */

static carom_result *run(void)
{
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_result *result = NULL;
    const char *smooth = "contact.friction.coulomb=0";
    CHECK_OK(carom_scene_parse(scene, strlen(scene), "test", ".", &smooth, 1, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    CHECK_OK(carom_run_folder(model, &(carom_run_options){ .folder = scratch_folder, .scene_text = scene }, &err),
             err);
    CHECK_OK(carom_result_open(scratch_folder, &result, &err), err);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return result;
}

static const double *signal_of(const carom_result *result, const char *name)
{
    carom_error err = { 0 };
    const double *values = NULL;
    CHECK_OK(carom_result_find_signal(result, name, &(size_t){ 0 }, &values, &err), err);
    return values;
}

/* Between steps, where nothing was solved for: the interpolated journal does not leave either. */
static void check_frames(const carom_result *result)
{
    const double *x = signal_of(result, "small end.x");
    const double *y = signal_of(result, "small end.y");
    double farthest = 0.0;
    for (size_t k = 0; k < carom_result_frame_count(result); ++k) {
        farthest = fmax(farthest, hypot(x[k], y[k]));
    }
    printf("\n");
    table_mark("journal beyond its bearing in frames [m]", farthest - PLAY, 1e-9);
    CHECK_LE(farthest - PLAY, 1e-9);
}

/* Without friction every impact leaves 0.9 of its speed; each takes energy, and the ledger knows of it. */
static void check_impacts(const carom_result *result)
{
    const carom_event *events = carom_result_events(result);
    int impacts = 0;
    double worst = 0.0;
    double lost = 0.0;
    double least = 0.0;
    for (size_t k = 0; k < carom_result_event_count(result); ++k) {
        if (events[k].kind == CAROM_EVENT_IMPACT) {
            worst = fmax(worst, fabs(events[k].speed_after + 0.9 * events[k].speed) / -events[k].speed);
            least = fmin(least, events[k].energy_lost);
            lost += events[k].energy_lost;
            ++impacts;
        }
    }
    double total = 0.0;
    CHECK(carom_result_number(result, "energy.dissipated.impact", &total));
    printf("  %d impacts\n", impacts);
    table_mark("restitution of an impact off 0.9", worst, 1e-5);
    table_mark("energy of all impacts off the ledger's [J]", fabs(lost - total), 1e-9);
    CHECK_GE(impacts, 50);
    CHECK_LE(worst, 1e-5);
    CHECK_LE(fabs(lost - total), 1e-9);
    CHECK_GE(least, -1e-12);
}

TEST(clearance_impact, frames_and_impacts_of_a_run)
{
    carom_result *result = run();
    check_frames(result);
    check_impacts(result);
    carom_result_close(result);
}

/* ---- beside the law of a spring ------------------------------------------------------------------------------------ */

/* [J] lost by friction within six turns, after two to settle. */
static double rubbed_in_six_turns(const char *const *overrides)
{
    sim s = sim_parse(scene, overrides);
    sim_advance(&s, 2.0 * TURN);
    double before = sim_ledger(&s).lost_friction;
    sim_advance(&s, 8.0 * TURN);
    double rubbed = sim_ledger(&s).lost_friction - before;
    table_cost(&s, 0.0);
    sim_end(&s);
    return rubbed;
}

/* Friction at a journal that hardly ever leaves its bearing: what rubs is set by the load and the turning, not by how hard
 * surfaces are. */
TEST(clearance_impact, friction_takes_what_it_takes_between_springs)
{
    const char *rigid[] = { "contact.friction.coulomb=0.1", NULL };
    const char *springs[] = { "contact.friction={\"coulomb\": {\"mu\": 0.1, \"v_e\": 0.01}}",
                              "contact.method=compliant",
                              "contact.law={\"exact-restitution\": {\"k\": 6.6101984e10, \"n\": 1.5}}", NULL };
    printf("\n");
    double impact = rubbed_in_six_turns(rigid);
    double compliant = rubbed_in_six_turns(springs);
    printf("  lost by friction in six turns: impact %.3f J, compliant %.3f J\n", impact, compliant);
    CHECK_NEAR(impact, compliant, 0.05 * compliant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(clearance_impact, the_journal_stays_in_its_bearing),
        RUN_TEST(clearance_impact, frames_and_impacts_of_a_run),
        RUN_TEST(clearance_impact, friction_takes_what_it_takes_between_springs),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
