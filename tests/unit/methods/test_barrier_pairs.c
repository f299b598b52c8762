/* Method "barrier", pairs.c and islands.c: which pairs are looked at, how stiff they are, how far motions are free, what is solved
 * together, and what a state remembers. */
#include "methods/barrier/contacts.h"
#include "methods/barrier/line_search.h"
#include "methods/barrier/pairs.h"
#include "support/barrier_bench.h"

/* ---- which pairs are active ------------------------------------------------------------------------------------------------- */

/* Six boxes and balls that fall onto a plate, spinning. */
static sim heap(const char *integrator)
{
    static const char *const shapes[] = { "{\"box\": [0.1, 0.08, 0.06]}", "{\"sphere\": 0.04}",
                                          "{\"capsule\": {\"radius\": 0.02, \"length\": 0.1}}" };
    char bodies[4096];
    size_t n = 0;
    for (int k = 0; k < 6; ++k) {
        n += (size_t)snprintf(bodies + n, sizeof bodies - n,
                              ", {\"name\": \"b%d\", \"density\": 1000, \"shape\": %s, \"position\": [%g, %g, %g], "
                              "\"velocity\": [%g, 0, -1], \"angular_velocity\": [3, %d, 1]}",
                              k, shapes[k % 3], 0.03 * (k % 2), 0.02 * (k % 3), 0.1 + 0.15 * k, k % 2 ? -0.5 : 0.5,
                              k);
    }
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 10, \"step\": 0.01, \"integrator\": "
        "\"%s\"}, \"contact\": {\"method\": \"barrier\", \"restitution\": 0.3}, \"bodies\": [{\"name\": "
        "\"plate\", \"fixed\": true, \"shape\": {\"box\": [1, 1, 0.02]}}%s]}",
        integrator, bodies);
}

static int count_active(const barrier_work *w)
{
    int count = 0;
    for (int k = 0; k < w->pair_count; ++k) {
        count += w->pairs[k].active;
    }
    return count;
}

/* Both know the same of each pair that is active. */
static void check_same_pairs(const barrier_work *x, const barrier_work *y)
{
    int k = 0;
    int n = 0;
    CHECK_EQ(count_active(x), count_active(y));
    CHECK(memcmp(x->held, y->held, (size_t)x->model->body_count * sizeof *x->held) == 0);
    for (int left = count_active(x); left > 0; --left, ++k, ++n) {
        while (!x->pairs[k].active) {
            ++k;
        }
        while (!y->pairs[n].active) {
            ++n;
        }
        const barrier_pair *p = &x->pairs[k];
        const barrier_pair *q = &y->pairs[n];
        CHECK(p->a == q->a && p->b == q->b);
        CHECK(p->kappa == q->kappa && p->impact == q->impact && p->approach == q->approach);
        CHECK(p->touched == q->touched && p->range == q->range);
    }
}

/* The beginning of a step with a workspace that has never seen the scene, and with the one that has made all steps so far. */
TEST(active, pairs_depend_on_the_state_alone)
{
    sim s = heap("bdf2");
    int most = 0;
    int compressed = 0;
    for (int step = 0; step < 60; ++step) {
        sim_step(&s, 10.0);
        sim other = { .model = s.model, .state = s.state };
        carom_error err = { 0 };
        CHECK_OK(carom_scratch_create(s.model, 1, &other.scratch, &err), err);
        bench old = bench_begin(s);
        bench fresh = bench_begin(other);
        check_same_pairs(old.w, fresh.w);
        most = count_active(old.w) > most ? count_active(old.w) : most;
        for (int k = 0; k < old.w->pair_count; ++k) {
            compressed += old.w->pairs[k].impact == IMPACT_COMPRESSION;
        }
        fresh.s.model = NULL; /* both are the other's */
        fresh.s.state = NULL;
        bench_end(&fresh);
        other = old.s;
        old.s = (sim){ 0 };
        bench_end(&old);
        s = other;
        ((barrier_work *)s.scratch->contact)->stepping = false;
    }
    CHECK_GE(most, 6);
    CHECK_GE(compressed, 1);
    sim_end(&s);
}

/* A ball flies at a plate. */
static bench thrown(double away, double speed)
{
    return bench_begin(bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -10], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": 0.001}, \"bodies\": [{\"name\": \"plate\", \"fixed\": true, "
        "\"shape\": {\"box\": [1, 1, 0.02]}}, {\"name\": \"ball\", \"mass\": 2, \"shape\": {\"sphere\": 0.05}, "
        "\"position\": [0, 0, %.17g], \"velocity\": [0, 0, %.17g]}]}",
        0.06 + away, -speed));
}

/* A room is half as much again as a body goes without contact, and twice the range. */
TEST(active, rooms_are_what_a_step_needs)
{
    bench b = thrown(1.0, 5.0);
    CHECK_NEAR(bench_body(&b, 0)->room, 1.5 * (0.05 + 1e-4 * 10.0) + 2e-3, 1e-14);
    CHECK_EQ(count_active(b.w), 0);
    bench_end(&b);
    b = thrown(0.07, 5.0); /* within the room */
    CHECK_EQ(count_active(b.w), 1);
    bench_body(&b, 0)->room = 0.05;
    CHECK(pairs_find(b.w));
    CHECK_EQ(count_active(b.w), 0);
    bench_end(&b);
    b = thrown(0.3, 5.0);
    CHECK_EQ(count_active(b.w), 0);
    bench_body(&b, 0)->room = 0.4; /* more than was ever looked for */
    CHECK(pairs_find(b.w));
    CHECK_EQ(count_active(b.w), 1);
    CHECK(b.w->pairs[0].fresh && b.w->pairs[0].kappa > 0.0);
    bench_end(&b);
}

/* ---- stiffness -------------------------------------------------------------------------------------------------------------- */

TEST(stiffness, follows_inertia_and_approach)
{
    bench b = thrown(2e-3, 0.0); /* m / h^2 is 2e4; it falls 1 mm in a step, one range */
    CHECK_NEAR(b.w->pairs[0].kappa, 100.0 * 2e4, 1e-6);
    bench_end(&b);
    b = thrown(0.07, 5.0);
    CHECK_NEAR(b.w->pairs[0].kappa, 10.0 * 2e4 * 51.0, 1e-3);
    b.w->pairs[0].impact = IMPACT_LEAVING;
    contact_records none = { 0 };
    pairs_stiffen(b.w, &none); /* not remembered: not leaving */
    CHECK_NEAR(b.w->pairs[0].kappa, 10.0 * 2e4 * 51.0, 1e-3);
    bench_end(&b);
}

/* A barrier that pushes keeps its stiffness while the contact lasts; after an impact it is no stiffer than it must be. */
TEST(stiffness, is_remembered_while_a_contact_lasts)
{
    static const struct {
        impact_phase phase, then;
        double times; /* of 2e4: remembered 1e4, loaded 510, at rest 100 */
    } cases[] = { { IMPACT_COMPRESSION, IMPACT_COMPRESSION, 1e4 },
                  { IMPACT_OVER, IMPACT_OVER, 1e4 },
                  { IMPACT_ENDED, IMPACT_OVER, 510.0 },
                  { IMPACT_LEAVING, IMPACT_LEAVING, 100.0 } };
    for (int k = 0; k < 4; ++k) {
        bench b = thrown(0.07, 5.0);
        barrier_pair *p = &b.w->pairs[0];
        contact_record item = { .a = (uint32_t)p->a, .b = (uint32_t)p->b, .kind = RECORD_PAIR };
        item.state = cases[k].phase;
        v3_store(item.value, v3_make(1e4 * 2e4, -3.0, 0.0));
        contact_records records = { .items = &item, .count = 1 };
        pairs_stiffen(b.w, &records);
        CHECK_NEAR(p->kappa, cases[k].times * 2e4, 1e-6 * p->kappa);
        CHECK_EQ(p->impact, cases[k].then);
        CHECK_NEAR(p->approach, -3.0, 0.0);
        CHECK(p->touched);
        bench_end(&b);
    }
}

/* Within range when a run begins: the barrier carries the weight there, and once more what may lie on the body. */
TEST(stiffness, fits_where_a_run_begins)
{
    bench b = thrown(0.4e-3, 0.0);
    barrier_pair *p = &b.w->pairs[0];
    double loaded = p->kappa;
    contacts_evaluate_pair(b.w, p);
    pair_fit(b.w, p);
    contacts_evaluate_pair(b.w, p);
    CHECK_EQ(p->contact_count, 1);
    CHECK_LE(p->kappa, 0.1 * loaded);
    CHECK_GE(-p->contacts[0].first, 2.0 * 10.0 * (1.0 - 1e-9));
    CHECK_LE(-p->contacts[0].first, 2.0 * 2.0 * 10.0 * (1.0 + 1e-9));
    bench_end(&b);
    b = thrown(0.999e-3, 0.0); /* so far out that it would have to be stiffer: it sinks deeper instead */
    loaded = b.w->pairs[0].kappa;
    contacts_evaluate_pair(b.w, &b.w->pairs[0]);
    pair_fit(b.w, &b.w->pairs[0]);
    CHECK_NEAR(b.w->pairs[0].kappa, loaded, 0.0);
    bench_end(&b);
}

/* Nothing presses them together: they leave no faster than they may creep, a range per second. */
TEST(stiffness, of_an_idle_start_is_that_of_creeping)
{
    bench b = bench_begin(bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": 0.001}, \"bodies\": [{\"name\": \"plate\", \"fixed\": true, "
        "\"shape\": {\"box\": [1, 1, 0.02]}}, {\"name\": \"ball\", \"mass\": 2, \"shape\": {\"sphere\": 0.05}, "
        "\"position\": [0, 0, 0.0604]}]}"));
    contacts_evaluate_pair(b.w, &b.w->pairs[0]);
    pair_fit(b.w, &b.w->pairs[0]);
    CHECK_NEAR(b.w->pairs[0].kappa, 2.0, 1e-12);
    bench_end(&b);
}

/* A lasting contact becomes stiffer up to what its load asks for, in each step by as much as lets it creep ten times as fast. */
TEST(stiffness, of_a_lasting_contact_grows_slowly)
{
    static const double known[] = { 1e5, 1.95e6, 3e6 };
    static const double then[] = { 1.1051709180756477e5, 2e6, 3e6 }; /* the load asks for 2e6; exp(0.1) */
    for (int k = 0; k < 3; ++k) {
        bench b = thrown(0.3e-3, 0.0);
        barrier_pair *p = &b.w->pairs[0];
        p->touched = true;
        p->kappa = known[k];
        contacts_evaluate_pair(b.w, p);
        pair_fit(b.w, p);
        CHECK_NEAR(p->kappa, then[k], 1e-6 * then[k]);
        bench_end(&b);
    }
}

/* ---- motions that are free of collisions ------------------------------------------------------------------------------------ */

/* Lists of near features leave out what is too far to end a motion: the outcome is that of all features. */
TEST(sweep, with_lists_is_that_of_all_features)
{
    static const char *const shapes[][2] = {
        { "{\"box\": [0.3, 0.2, 0.1]}", "{\"box\": [0.05, 0.06, 0.1]}" },
        { "{\"plane\": [0, 0, 1], \"at\": [0, 0, 0.05]}", "{\"box\": [0.05, 0.06, 0.1]}" },
        { "{\"box\": [0.3, 0.2, 0.1]}", "{\"capsule\": {\"radius\": 0.02, \"length\": 0.1}}" },
        { "{\"box\": [0.05, 0.06, 0.1]}",
          "{\"make\": {\"type\": \"box\", \"size\": [0.3, 0.2, 0.1], \"spacing\": 0.05}}" }
    };
    const double range = 2e-3;
    test_rng rng = test_rng_seed(17);
    int ended = 0;
    int listed = 0;
    for (int k = 0; k < 4; ++k) {
        bool plane = k == 1;
        sim s = bench_parse(
            "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\", "
            "\"range\": %g}, \"bodies\": [{\"name\": \"one\", %s \"density\": 1000, \"shape\": %s}, {\"name\": "
            "\"two\", \"density\": 1000, \"shape\": %s, \"position\": [0.02, 0.03, 0.3]}]}",
            range, plane ? "\"fixed\": true," : "", shapes[k][0], shapes[k][1]);
        s.state->pose[2].q_wb = so3_exp(v3_scale(0.5, random_direction(&rng)));
        bench_approach(&s, 2, v3_make(0, 0, -1), 1.2 * range);
        bench b = bench_begin(s);
        barrier_pair *p = &b.w->pairs[b.isle.pairs[0]];
        contacts_evaluate(b.w, &b.isle);
        for (int n = 0; n < 400; ++n) {
            double d[BENCH_UNKNOWNS];
            for (int i = 0; i < BENCH_UNKNOWNS; ++i) {
                d[i] = test_rng_uniform(&rng, -1e-4, 1e-4) * (i % COLUMNS < 3 ? 1.0 : 5.0);
            }
            d[COLUMNS * (b.isle.body_count - 1) + 2] -= test_rng_uniform(&rng, 0.0, 0.9) * range;
            bench_displace(&b, d);
            if (!isfinite(contacts_evaluate(b.w, &b.isle))) {
                continue;
            }
            v3 along = random_direction(&rng);
            double size = range * pow(10.0, test_rng_uniform(&rng, n % 8 < 6 ? -1.0 : -4.0, 0.7));
            for (int i = 0; i < b.isle.body_count; ++i) {
                moving_body *body = bench_body(&b, i);
                body->d = (twist){ random_v3(&rng, size), random_v3(&rng, 10.0 * size) };
                if (n % 4 == 1) { /* only turns */
                    body->d = (twist){ v3_zero(), random_v3(&rng, 20.0 * size) };
                } else if (n % 4 == 2) { /* only moves */
                    body->d.w = v3_zero();
                } else if (n % 4 == 3) { /* far away together, and a little turn between them */
                    body->d = (twist){ v3_scale(0.5, along), random_v3(&rng, size) };
                }
                body->way = way_of(body);
            }
            surface_place places[2] = { collider_place(b.w, p->a), collider_place(b.w, p->b) };
            surface_pair now = surface_pair_of(&places[0], &places[1]);
            sweep_limits limits = { .range = range };
            sweep_counts counts = { 0 };
            double all = surface_pair_sweep(&now, &limits, 1.0, &counts);
            long nodes = p->swept.nodes;
            double found = pairs_sweep(b.w, &b.isle, 1.0);
            CHECK_NEAR(found, all, 0.0);
            listed += p->swept.nodes == nodes;
            ended += found < 1.0;
            CHECK_EQ(b.isle.blockers[0], found < 1.0 ? p->body[0] : -1);
            CHECK_EQ(b.isle.blockers[1], found < 1.0 ? p->body[1] : -1);
        }
        bench_end(&b);
    }
    CHECK_GE(ended, 100);
    CHECK_GE(listed, 300);
}

/* ---- pairs that are far apart ----------------------------------------------------------------------------------------------- */

/* Two balls that may meet in the step, and a plane whose origin is far away: only who is near is looked at. */
TEST(near, balls_are_looked_at_when_they_come_near_and_planes_always)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": "
        "\"barrier\", \"range\": 1e-3}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": "
        "[0, 0, 1]}, \"position\": [-50, 20, 0]}, {\"name\": \"one\", \"density\": 1000, \"shape\": {\"sphere\": 0.1}, "
        "\"position\": [0, 0, 0.1005]}, {\"name\": \"two\", \"density\": 1000, \"shape\": {\"sphere\": 0.1}, "
        "\"position\": [0.3, 0, 0.15], \"velocity\": [-10, 0, 0]}]}");
    bench b = bench_begin(s);
    const double far[BENCH_UNKNOWNS] = { 0.0 };
    double near[BENCH_UNKNOWNS] = { 0.0 };
    near[COLUMNS] = 0.2005 * cos(asin(0.0495 / 0.2005)) - 0.3; /* two is on one: 0.0005 m between them */
    CHECK_EQ(b.isle.pair_count, 3);
    for (int round = 0; round < 3; ++round) {
        bool close = round == 1;
        bench_displace(&b, close ? near : far);
        CHECK(isfinite(contacts_evaluate(b.w, &b.isle)));
        int contacts = 0;
        for (int k = 0; k < b.w->pair_count; ++k) {
            contacts += b.w->pairs[k].contact_count;
        }
        CHECK_EQ(contacts, close ? 2 : 1); /* one lies on the floor */
        CHECK_EQ(b.isle.near_count, close ? 3 : 2);
    }
    bench_end(&b);
}

/* ---- islands ---------------------------------------------------------------------------------------------------------------- */

static const barrier_work *work_of(const sim *s)
{
    return s->scratch->contact;
}

#define CUBE(name, x, z)                                                                                             \
    "{\"name\": \"" name "\", \"density\": 1000, \"shape\": {\"box\": [0.1, 0.1, 0.1]}, \"position\": [" x ", 0, " z \
    "]}"

/* Two stacks of two, with something between them or above. */
static sim stacks(const char *more)
{
    return bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": 0.001}, \"bodies\": [{\"name\": \"floor\", \"fixed\": true, "
        "\"shape\": {\"plane\": [0, 0, 1]}}, " CUBE("a", "0", "0.051") ", " CUBE("b", "0", "0.152") ", " CUBE(
            "c", "1", "0.051") ", " CUBE("d", "1", "0.152") "%s}",
        more);
}

static int island_of(const sim *s, const char *name)
{
    return work_of(s)->bodies[sim_body(s, name)].island;
}

TEST(islands, bodies_that_cannot_meet_are_solved_apart)
{
    sim s = stacks("]");
    sim_step(&s, 1.0);
    CHECK_EQ(work_of(&s)->island_count, 2);
    CHECK_EQ(island_of(&s, "a"), island_of(&s, "b"));
    CHECK_EQ(island_of(&s, "c"), island_of(&s, "d"));
    CHECK(island_of(&s, "a") != island_of(&s, "c"));
    CHECK_EQ(island_of(&s, "floor"), -1);
    sim_end(&s);
}

/* Two bars side by side: what the axes of the world make of their boxes decides nothing. */
TEST(islands, do_not_depend_on_the_axes_of_the_world)
{
    for (int k = 0; k < 24; ++k) {
        double angle = 0.13 * (k / 2);
        double apart = k % 2 ? 0.053 : 0.2; /* [m] of centres; bars are 0.05 m wide */
        double w = cos(0.5 * angle), z = sin(0.5 * angle);
        sim s =
            bench_parse("{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": "
                        "\"barrier\"}, \"bodies\": [{\"name\": \"a\", \"density\": 1000, \"shape\": {\"box\": [1, "
                        "0.05, 0.05]}, \"orientation\": [%.17g, 0, 0, %.17g], \"velocity\": [0, 0, 0.1]}, "
                        "{\"name\": \"b\", \"density\": 1000, \"shape\": {\"box\": [1, 0.05, 0.05]}, "
                        "\"orientation\": [%.17g, 0, 0, %.17g], \"position\": [%.17g, %.17g, 0]}]}",
                        w, z, w, z, -apart * sin(angle), apart * cos(angle));
        sim_step(&s, 1.0);
        CHECK_EQ(island_of(&s, "a") == island_of(&s, "b"), k % 2 == 1);
        sim_end(&s);
    }
}

TEST(islands, joined_bodies_are_one)
{
    sim s = stacks(
        "], \"joints\": [{\"name\": \"j1\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"b\"], \"axis\": "
        "[0, 1, 0]}, {\"name\": \"j2\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"d\"], \"axis\": "
        "[0, 1, 0]}]");
    sim_step(&s, 1.0);
    CHECK_EQ(work_of(&s)->island_count, 1);
    CHECK(work_of(&s)->islands[0].mechanism);
    CHECK_EQ(work_of(&s)->islands[0].row_node_count, 2);
    sim_end(&s);
}

/* A board over both stacks unites them where it moves by a given motion, and parts them while it rests. */
TEST(islands, given_motions_unite_while_they_move)
{
    sim s = stacks(", {\"name\": \"board\", \"shape\": {\"box\": [2, 0.1, 0.1]}, \"motion\": {\"position\": [0.5, 0, "
                   "\"0.2532-0.05*max(0,t-0.02)\"]}}]");
    sim_step(&s, 1.0);
    CHECK_EQ(work_of(&s)->island_count, 2);
    CHECK_EQ(island_of(&s, "board"), -1);
    sim_step(&s, 1.0);
    sim_step(&s, 1.0);
    CHECK_EQ(work_of(&s)->island_count, 1);
    CHECK_EQ(island_of(&s, "board"), island_of(&s, "a"));
    CHECK_EQ(island_of(&s, "board"), island_of(&s, "d"));
    sim_end(&s);
}

/* A body that has to leave its room meets what nobody had looked for: a spring hurls it at a wall. */
TEST(islands, are_united_where_a_body_leaves_its_room)
{
    sim s = bench_parse("{\"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
                        "{\"method\": \"barrier\", \"range\": 0.001}, \"bodies\": [" CUBE("shot", "0", "0") ", " CUBE(
                            "wall", "0.3", "0") "], \"forces\": [{\"name\": \"push\", \"type\": \"load\", \"body\": "
                                                "\"shot\", \"force\": [1e5, 0, 0]}]}");
    sim_step(&s, 1.0); /* without a wall it would go 10 m */
    CHECK_GE(work_of(&s)->counts.rounds, 2);
    CHECK_EQ(work_of(&s)->island_count, 1);
    CHECK_GE(sim_position(&s, "wall").x - sim_position(&s, "shot").x, 0.1);
    CHECK_GE(carom_state_velocity(s.model, s.state, sim_body(&s, "wall")).x, 1.0);
    sim_end(&s);
}

/* ---- records ---------------------------------------------------------------------------------------------------------------- */

static int count_records(const sim *s, uint32_t kind)
{
    int count = 0;
    for (size_t k = 0; k < s->state->contacts.count; ++k) {
        count += s->state->contacts.items[k].kind == kind;
        CHECK(k == 0 || contact_record_compare(&s->state->contacts.items[k - 1], &s->state->contacts.items[k]) < 0);
    }
    return count;
}

/* Pairs that touch have a record, bodies that are in an impact one with their energy before it, and of BDF2 one after what touches
 * them has changed. */
TEST(records, are_of_pairs_that_touch_and_of_bodies_that_restart)
{
    sim s = heap("bdf2");
    int restarts = 0;
    int full = 0;
    for (int step = 0; step < 60; ++step) {
        sim_step(&s, 10.0);
        const barrier_work *w = work_of(&s);
        int touching = 0;
        int compressed = 0;
        for (int k = 0; k < w->pair_count; ++k) {
            const barrier_pair *p = &w->pairs[k];
            if (p->contact_count > 0) {
                contact_record key = { .a = (uint32_t)p->a, .b = (uint32_t)p->b, .kind = RECORD_PAIR };
                const contact_record *found = contact_records_find(&s.state->contacts, &key);
                CHECK(found != NULL);
                CHECK(found->value[0] == p->kappa && found->state == (uint32_t)p->impact);
                ++touching;
                compressed += p->impact == IMPACT_COMPRESSION;
                bool upset = !p->touched || p->bounced;
                for (int side = 0; upset && side < 2; ++side) {
                    bool free = w->bodies[p->body[side]].free;
                    CHECK_EQ(body_restarts(&s.state->contacts, p->body[side]), free);
                }
            }
        }
        CHECK_EQ(count_records(&s, RECORD_PAIR), touching);
        CHECK(count_records(&s, RECORD_KINETIC) >= (compressed > 0));
        CHECK(count_records(&s, RECORD_KINETIC) <= 2 * compressed);
        restarts += count_records(&s, RECORD_RESTART);
        full += compressed;
    }
    CHECK_GE(restarts, 6);
    CHECK_GE(full, 1);
    sim_end(&s);
}

/* A step of implicit Euler at each change of contacts and after it, BDF2 otherwise. */
TEST(records, islands_restart_as_remembered)
{
    sim s = heap("bdf2");
    int plain = 0;
    int second = 0;
    sim_step(&s, 10.0);
    CHECK(work_of(&s)->islands[0].plain); /* there is no step behind the first */
    for (int step = 0; step < 60; ++step) {
        bool restarts[8] = { false };
        for (int i = 0; i < s.model->body_count; ++i) {
            restarts[i] = body_restarts(&s.state->contacts, i);
        }
        sim_step(&s, 10.0);
        const barrier_work *w = work_of(&s);
        for (int k = 0; k < w->pair_count; ++k) {
            const barrier_pair *p = &w->pairs[k];
            bool changed = (p->contact_count > 0) != p->touched;
            int in = w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]].island;
            CHECK(!changed || w->islands[in].plain);
        }
        for (int k = 0; k < w->island_count; ++k) {
            bool any = false;
            for (int i = 0; i < w->islands[k].body_count; ++i) {
                int body = w->islands[k].bodies[i];
                any = any || restarts[body] || w->bodies[body].upset;
            }
            CHECK(w->islands[k].plain || !any);
            plain += any;
            second += !w->islands[k].plain;
        }
    }
    CHECK_GE(plain, 5);
    CHECK_GE(second, 50);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(active, pairs_depend_on_the_state_alone),
        RUN_TEST(active, rooms_are_what_a_step_needs),
        RUN_TEST(stiffness, follows_inertia_and_approach),
        RUN_TEST(stiffness, is_remembered_while_a_contact_lasts),
        RUN_TEST(stiffness, fits_where_a_run_begins),
        RUN_TEST(stiffness, of_an_idle_start_is_that_of_creeping),
        RUN_TEST(stiffness, of_a_lasting_contact_grows_slowly),
        RUN_TEST(sweep, with_lists_is_that_of_all_features),
        RUN_TEST(near, balls_are_looked_at_when_they_come_near_and_planes_always),
        RUN_TEST(islands, bodies_that_cannot_meet_are_solved_apart),
        RUN_TEST(islands, do_not_depend_on_the_axes_of_the_world),
        RUN_TEST(islands, joined_bodies_are_one),
        RUN_TEST(islands, given_motions_unite_while_they_move),
        RUN_TEST(islands, are_united_where_a_body_leaves_its_room),
        RUN_TEST(records, are_of_pairs_that_touch_and_of_bodies_that_restart),
        RUN_TEST(records, islands_restart_as_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
