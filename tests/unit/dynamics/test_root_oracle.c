/* SUNDIALS as the oracle of event location: a falling body and a pendulum cross planes. CVODE and IDA integrate the
 * textbook equations of one unknown with their own root finding; carom integrates bodies and joints and looks for the
 * same crossings on its dense output. */
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "dynamics/dense.h"
#include "dynamics/events.h"
#include "rig.h"
#include "scenes.h"
#include "support/scene_file.h"

enum { MOST_CROSSINGS = 16 };

typedef struct crossings {
    int count;
    double t[MOST_CROSSINGS];
} crossings;

/* ---- oracles: y'' = a(y, y'), a crossing where plane(y) = 0 ---------------------------------------------------- */

typedef struct textbook {
    double (*acceleration)(double y, double v);
    double (*plane)(double y);
    double y0;
} textbook;

static double falling_with_drag(double y, double v)
{
    (void)y;
    return -9.81 + 0.05 * v * v; /* downwards throughout */
}

static double two_metres_down(double y)
{
    return y + 2.0;
}

static double pendulum(double angle, double rate)
{
    (void)rate;
    return -1.5 * 9.81 * cos(angle); /* from the horizontal */
}

static double tip_half_way(double angle)
{
    return cos(angle) - 0.3; /* x of the tip crosses 0.3 m */
}

static int ode(sunrealtype t, N_Vector y, N_Vector y_dot, void *data)
{
    (void)t;
    const textbook *b = data;
    NV_Ith_S(y_dot, 0) = NV_Ith_S(y, 1);
    NV_Ith_S(y_dot, 1) = b->acceleration(NV_Ith_S(y, 0), NV_Ith_S(y, 1));
    return 0;
}

static int ode_root(sunrealtype t, N_Vector y, sunrealtype *g, void *data)
{
    (void)t;
    const textbook *b = data;
    g[0] = b->plane(NV_Ith_S(y, 0));
    return 0;
}

static int dae(sunrealtype t, N_Vector y, N_Vector y_dot, N_Vector r, void *data)
{
    (void)t;
    const textbook *b = data;
    NV_Ith_S(r, 0) = NV_Ith_S(y_dot, 0) - NV_Ith_S(y, 1);
    NV_Ith_S(r, 1) = NV_Ith_S(y_dot, 1) - b->acceleration(NV_Ith_S(y, 0), NV_Ith_S(y, 1));
    return 0;
}

static int dae_root(sunrealtype t, N_Vector y, N_Vector y_dot, sunrealtype *g, void *data)
{
    (void)y_dot;
    return ode_root(t, y, g, data);
}

static crossings by_cvode(const textbook *b, double end)
{
    SUNContext context = NULL;
    CHECK_EQ(SUNContext_Create(NULL, &context), 0);
    N_Vector y = N_VNew_Serial(2, context);
    NV_Ith_S(y, 0) = b->y0;
    NV_Ith_S(y, 1) = 0.0;
    SUNMatrix A = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    void *memory = CVodeCreate(CV_ADAMS, context);
    CHECK_EQ(CVodeInit(memory, ode, 0.0, y), CV_SUCCESS);
    CHECK_EQ(CVodeSStolerances(memory, 1e-13, 1e-14), CV_SUCCESS);
    CHECK_EQ(CVodeSetLinearSolver(memory, solver, A), CV_SUCCESS);
    CHECK_EQ(CVodeSetUserData(memory, (void *)(uintptr_t)b), CV_SUCCESS);
    CHECK_EQ(CVodeSetMaxNumSteps(memory, 100000), CV_SUCCESS);
    CHECK_EQ(CVodeRootInit(memory, 1, ode_root), CV_SUCCESS);
    crossings out = { 0 };
    int flag = CV_SUCCESS;
    for (double t = 0.0; t < end && flag >= 0;) {
        flag = CVode(memory, end, y, &t, CV_NORMAL);
        CHECK_GE(flag, 0);
        if (flag == CV_ROOT_RETURN) {
            out.t[out.count++] = t;
        }
    }
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return out;
}

static crossings by_ida(const textbook *b, double end)
{
    SUNContext context = NULL;
    CHECK_EQ(SUNContext_Create(NULL, &context), 0);
    N_Vector y = N_VNew_Serial(2, context);
    N_Vector y_dot = N_VNew_Serial(2, context);
    NV_Ith_S(y, 0) = b->y0;
    NV_Ith_S(y, 1) = NV_Ith_S(y_dot, 0) = 0.0;
    NV_Ith_S(y_dot, 1) = b->acceleration(b->y0, 0.0);
    SUNMatrix A = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    void *memory = IDACreate(context);
    CHECK_EQ(IDAInit(memory, dae, 0.0, y, y_dot), IDA_SUCCESS);
    CHECK_EQ(IDASStolerances(memory, 1e-13, 1e-14), IDA_SUCCESS);
    CHECK_EQ(IDASetLinearSolver(memory, solver, A), IDA_SUCCESS);
    CHECK_EQ(IDASetUserData(memory, (void *)(uintptr_t)b), IDA_SUCCESS);
    CHECK_EQ(IDASetMaxNumSteps(memory, 1000000), IDA_SUCCESS);
    CHECK_EQ(IDARootInit(memory, 1, dae_root), IDA_SUCCESS);
    crossings out = { 0 };
    int flag = IDA_SUCCESS;
    for (double t = 0.0; t < end && flag >= 0;) {
        flag = IDASolve(memory, end, &t, y, y_dot, IDA_NORMAL);
        CHECK_GE(flag, 0);
        if (flag == IDA_ROOT_RETURN) {
            out.t[out.count++] = t;
        }
    }
    IDAFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    N_VDestroy(y_dot);
    SUNContext_Free(&context);
    return out;
}

/* ---- carom: the same crossings on dense output ----------------------------------------------------------------- */

typedef struct watch {
    const dense_step *dense;
    double (*distance)(const body_pose *pose);
} watch;

static double body_below(const body_pose *pose)
{
    return pose[1].x_w.y + 2.0;
}

static double tip_x(const body_pose *pose)
{
    return 2.0 * pose[1].x_w.x - 0.3;
}

static void watch_value(void *context, double t, double *g)
{
    const watch *w = context;
    body_pose pose[2];
    body_rate rate[2];
    dense_at(w->dense, t, (motion){ .pose = pose, .rate = rate }, NULL);
    g[0] = w->distance(pose);
}

static crossings by_carom(const char *scene, rig_time time, double (*distance)(const body_pose *), double end)
{
    rig r = rig_start(scene, time);
    crossings out = { 0 };
    while (carom_state_time(r.state) < end) {
        rig_step(&r, end - carom_state_time(r.state));
        watch w = { r.scratch->dense, distance };
        event_search search = { .functions = watch_value,
                                .context = &w,
                                .count = 1,
                                .t0 = w.dense->begin.t,
                                .t1 = w.dense->end.t,
                                .samples = 4 };
        event_found found;
        while (events_first(&search, &found)) {
            out.t[out.count++] = found.t;
            search.t0 = found.t;
        }
    }
    rig_close(&r);
    return out;
}

static void check_same(crossings found, crossings expected, double tolerance)
{
    CHECK_EQ(found.count, expected.count);
    for (int k = 0; k < found.count; ++k) {
        CHECK_NEAR(found.t[k], expected.t[k], tolerance);
    }
}

#define SCENE_FALL scene_text("root_oracle/fall.json")

static const rig_time TIGHT = { .integrator = "\"runge-kutta\"", .step = 0.02, .tolerance = 1e-12 };

TEST(root_oracle, falling_body_crosses_a_plane)
{
    textbook b = { falling_with_drag, two_metres_down, 0.0 };
    crossings cvode = by_cvode(&b, 1.0);
    crossings ida = by_ida(&b, 1.0);
    CHECK_EQ(cvode.count, 1);
    /* closed form: y = -(1/k) ln cosh(sqrt(g k) t) */
    double exact = acosh(exp(2.0 * 0.05)) / sqrt(9.81 * 0.05);
    CHECK_NEAR(cvode.t[0], exact, 1e-10);
    CHECK_NEAR(ida.t[0], exact, 1e-10);
    check_same(by_carom(SCENE_FALL, TIGHT, body_below, 1.0), cvode, 1e-9);
}

TEST(root_oracle, pendulum_crosses_a_plane_again_and_again)
{
    textbook b = { pendulum, tip_half_way, 0.0 };
    crossings cvode = by_cvode(&b, 2.0);
    crossings ida = by_ida(&b, 2.0);
    CHECK_GE(cvode.count, 2);
    check_same(ida, cvode, 1e-9);
    check_same(by_carom(SCENE_PENDULUM, TIGHT, tip_x, 2.0), cvode, 1e-9);
}

/* The back ends' own steps serve as well: their macro steps are as long as dense output stays accurate. */
TEST(root_oracle, events_on_the_back_ends_steps)
{
    textbook b = { pendulum, tip_half_way, 0.0 };
    crossings expected = by_cvode(&b, 2.0);
    const char *const names[] = { "\"cvode\"", "\"ida\"" };
    for (int i = 0; i < 2; ++i) {
        rig_time time = { .integrator = names[i], .tolerance = 1e-9 };
        check_same(by_carom(SCENE_PENDULUM, time, tip_x, 2.0), expected, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(root_oracle, falling_body_crosses_a_plane),
        RUN_TEST(root_oracle, pendulum_crosses_a_plane_again_and_again),
        RUN_TEST(root_oracle, events_on_the_back_ends_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
