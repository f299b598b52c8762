/* What every finite element promises, over the list: it passes the patch test, costs nothing in rigid motion, has the mass and the
 * inertia of what it fills, and does not know where it is or in which units it is measured. */
#include "support/patch.h"

/* Every kind; plane ones in each of their three states. */
#define FOR_EACH_CASE(type, plane)                                              \
    for (const solid_type *const *type##_ = solid_types(); *type##_; ++type##_) \
        for (const solid_type *type = *type##_; type; type = NULL)              \
            for (int plane = 0; plane < (type->dimension == 2 ? 3 : 1); ++plane)

static double random_unit(test_rng *rng)
{
    return test_rng_uniform(rng, -1.0, 1.0);
}

/* ---- states of constant strain ---- */

typedef struct state {
    m3 gradient;                  /* of the displacement: solids */
    double strain[SOLID_STRAINS]; /* expected */
    v3 move, turn;                /* a rigid motion on top */
} state;

static void random_gradient(state *s, const patch *p, test_rng *rng)
{
    int dimension = p->type->dimension;
    for (int r = 0; r < dimension; ++r) {
        for (int c = 0; c < dimension; ++c) {
            s->gradient.m[3 * r + c] = random_unit(rng);
        }
    }
    const double *g = s->gradient.m;
    if (patch_is_axisymmetric(p)) {
        s->gradient = m3_diag(g[0], g[4], 0.0);
    }
    s->strain[STRAIN_XX] = g[0];
    s->strain[STRAIN_YY] = g[4];
    s->strain[STRAIN_ZZ] = g[8];
    s->strain[STRAIN_YZ] = g[5] + g[7];
    s->strain[STRAIN_ZX] = g[2] + g[6];
    s->strain[STRAIN_XY] = g[1] + g[3];
    if (patch_is_axisymmetric(p)) {
        s->strain[STRAIN_ZZ] = g[0];
    } else if (dimension == 2 && p->material.plane == PLANE_STRESS) {
        double nu = p->material.poisson;
        s->strain[STRAIN_ZZ] = -nu / (1.0 - nu) * (g[0] + g[4]);
    }
}

static m3 line_axes(const patch *p)
{
    v3 x = v3_unit(p->size);
    v3 up = patch_is_planar(p->type) ? v3_make(-x.y, x.x, 0.0) : p->material.section.up;
    v3 y = v3_unit(v3_axpy(up, -v3_dot(up, x), x));
    return m3_from_columns(x, y, v3_cross(x, y));
}

static state random_state(const patch *p, test_rng *rng)
{
    state s = { .move = random_v3(rng, 1.0) };
    s.turn = patch_is_planar(p->type) ? v3_make(0.0, 0.0, random_unit(rng)) : random_v3(rng, 1.0);
    if (patch_is_axisymmetric(p)) {
        s.move.x = 0.0;
        s.turn = v3_zero();
    }
    if (!patch_is_line(p->type)) {
        random_gradient(&s, p, rng);
        return s;
    }
    s.strain[STRAIN_AXIAL] = random_unit(rng);
    if (p->type->beam) {
        s.strain[STRAIN_BEND_Z] = random_unit(rng);
        s.strain[STRAIN_TWIST] = patch_is_planar(p->type) ? 0.0 : random_unit(rng);
        s.strain[STRAIN_BEND_Y] = patch_is_planar(p->type) ? 0.0 : random_unit(rng);
    }
    return s;
}

static void state_at(const patch *p, const state *s, int node, double *u)
{
    v3 X = p->X[node];
    v3 move = v3_add(s->move, v3_cross(s->turn, X));
    v3 turn = s->turn;
    if (patch_is_line(p->type)) {
        m3 R = line_axes(p);
        double along = v3_norm(v3_sub(X, p->origin));
        const double *e = s->strain;
        double half = 0.5 * along * along;
        move = v3_add(move, m3_mulv(R, v3_make(e[STRAIN_AXIAL] * along, e[STRAIN_BEND_Z] * half,
                                               -e[STRAIN_BEND_Y] * half)));
        turn = v3_add(turn, m3_mulv(R, v3_make(e[STRAIN_TWIST] * along, e[STRAIN_BEND_Y] * along,
                                               e[STRAIN_BEND_Z] * along)));
    } else {
        move = v3_add(move, m3_mulv(s->gradient, X));
    }
    patch_put(p->type, move, turn, u);
}

static double *state_of(const patch *p, const state *s)
{
    int per_node = solid_node_freedoms(p->type->freedoms);
    double *u = calloc((size_t)patch_freedoms(p), sizeof *u);
    CHECK(u != NULL);
    for (int i = 0; i < p->node_count; ++i) {
        state_at(p, s, i, u + i * per_node);
    }
    return u;
}

static bool is_held(const patch *p, int freedom)
{
    int per_node = solid_node_freedoms(p->type->freedoms);
    return p->outer[freedom / per_node];
}

static bool is_bar(const solid_type *type)
{
    return type->dimension == 1 && !type->beam;
}

/* Solves for the inner nodes with the outer ones as in `exact`. */
static void solve_inner(const patch *p, const double *K, const double *exact, double *u)
{
    int n = patch_freedoms(p);
    int map[PATCH_FREEDOMS];
    int m = 0;
    for (int k = 0; k < n; ++k) {
        map[m] = k;
        m += !is_held(p, k);
    }
    double *A = calloc((size_t)m * (size_t)m, sizeof *A);
    double *b = calloc((size_t)m, sizeof *b);
    CHECK(A && b);
    memcpy(u, exact, (size_t)n * sizeof *u);
    for (int r = 0; r < m; ++r) {
        for (int c = 0; c < n; ++c) {
            b[r] -= is_held(p, c) ? K[map[r] * n + c] * exact[c] : 0.0;
        }
        for (int c = 0; c < m; ++c) {
            A[r * m + c] = K[map[r] * n + map[c]];
        }
    }
    CHECK_EQ(dense_cholesky(A, m, NULL), m);
    dense_cholesky_forward(A, b, m);
    dense_cholesky_backward(A, b, m);
    for (int r = 0; r < m; ++r) {
        u[map[r]] = b[r];
    }
    free(A);
    free(b);
}

static void check_strains(const patch *p, const double *u, const state *s, test_rng *rng)
{
    int m = solid_freedom_count(p->type);
    for (int e = 0; e < p->element_count; ++e) {
        v3 X[SOLID_NODES];
        double own[SOLID_FREEDOMS];
        double strain[SOLID_STRAINS];
        double xi[3] = { 0 };
        patch_corners(p, e, X);
        for (int k = 0; k < m; ++k) {
            own[k] = u[patch_freedom(p, e, k)];
        }
        for (int a = 0; a < p->type->dimension; ++a) {
            xi[a] = test_rng_uniform(rng, 0.0, 0.3);
        }
        p->type->strain(p->type, X, &p->material, own, xi, strain);
        for (int a = 0; a < SOLID_STRAINS; ++a) {
            CHECK_NEAR(strain[a], s->strain[a], 2e-9);
        }
    }
}

/* Inner nodes find the state of constant strain that the outer ones are given, and so do strains everywhere. Nothing holds the inner
 * nodes of bars across them: they are given too. */
TEST(solids, pass_the_patch_test)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 3) {
            patch p = patch_make(type, plane, &rng);
            state s = random_state(&p, &rng);
            double *K = patch_assemble(&p, type->stiffness);
            double *exact = state_of(&p, &s);
            double *u = calloc((size_t)patch_freedoms(&p), sizeof *u);
            CHECK(u != NULL);
            memcpy(u, exact, (size_t)patch_freedoms(&p) * sizeof *u);
            if (!is_bar(type)) {
                solve_inner(&p, K, exact, u);
            }
            for (int k = 0; k < patch_freedoms(&p); ++k) {
                CHECK_NEAR(u[k], exact[k], 1e-10);
            }
            check_strains(&p, u, &s, &rng);
            free(K);
            free(exact);
            free(u);
        }
    }
}

/* Without forces on inner nodes: what a bar's patch test comes down to. */
TEST(solids, constant_strain_leaves_inner_nodes_in_balance)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 3) {
            patch p = patch_make(type, plane, &rng);
            state s = random_state(&p, &rng);
            int n = patch_freedoms(&p);
            double *K = patch_assemble(&p, type->stiffness);
            double *u = state_of(&p, &s);
            double largest = 0.0;
            for (int r = 0; r < n; ++r) {
                for (int c = 0; c < n; ++c) {
                    largest = fmax(largest, fabs(K[r * n + c] * u[c]));
                }
            }
            for (int r = 0; r < n; ++r) {
                double force = 0.0;
                for (int c = 0; c < n; ++c) {
                    force += K[r * n + c] * u[c];
                }
                CHECK_LE(is_held(&p, r) ? 0.0 : fabs(force), 1e-12 * largest);
            }
            free(K);
            free(u);
        }
    }
}

/* [m^3] of solids, [m] of lines. */
static double measure_of(const patch *p)
{
    if (patch_is_line(p->type)) {
        return v3_norm(p->size);
    }
    if (p->type->dimension == 3) {
        return p->size.x * p->size.y * p->size.z;
    }
    double radius = p->origin.x + 0.5 * p->size.x;
    double across = patch_is_axisymmetric(p) ? 2.0 * 3.14159265358979323846 * radius : p->material.thickness;
    return p->size.x * p->size.y * across;
}

TEST(solids, energy_is_half_of_stress_times_strain)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 3) {
            patch p = patch_make(type, plane, &rng);
            state s = random_state(&p, &rng);
            double stress[SOLID_STRAINS];
            double *K = patch_assemble(&p, type->stiffness);
            double *u = state_of(&p, &s);
            double energy = 0.0;
            type->stress(type, &p.material, s.strain, stress);
            for (int a = 0; a < SOLID_STRAINS; ++a) {
                energy += 0.5 * measure_of(&p) * stress[a] * s.strain[a];
            }
            CHECK_NEAR(0.5 * patch_product(K, u, u, patch_freedoms(&p)) / energy, 1.0, 1e-11);
            free(K);
            free(u);
        }
    }
}

/* ---- rigid motion ---- */

static int rigid_count(const patch *p)
{
    if (is_bar(p->type)) {
        return 5;
    }
    return patch_is_axisymmetric(p) ? 1 : patch_is_planar(p->type) ? 3 : 6;
}

static double largest_entry(const double *A, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; ++k) {
        largest = fmax(largest, fabs(A[k]));
    }
    return largest;
}

TEST(solids, rigid_motion_costs_nothing)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 10) {
            patch p = patch_make(type, plane, &rng);
            v3 X[SOLID_NODES];
            double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
            double u[SOLID_FREEDOMS];
            int n = solid_freedom_count(type);
            v3 move = random_v3(&rng, 1.0);
            v3 turn = patch_is_planar(type) ? v3_make(0.0, 0.0, random_unit(&rng)) : random_v3(&rng, 1.0);
            if (patch_is_axisymmetric(&p)) {
                move.x = 0.0;
                turn = v3_zero();
            }
            patch_corners(&p, p.element_count / 2, X);
            type->stiffness(type, X, &p.material, K);
            patch_rigid(type, X, type->node_count, move, turn, u);
            double norm2 = 0.0;
            for (int k = 0; k < n; ++k) {
                norm2 += u[k] * u[k];
            }
            CHECK_LE(fabs(patch_product(K, u, u, n)), 1e-12 * norm2 * largest_entry(K, n * n));
        }
    }
}

/* In units in which displacements and rotations count alike: rotations times the element's size. */
static void even_out(const solid_type *type, double *A, double length)
{
    int per_node = solid_node_freedoms(type->freedoms);
    int n = solid_freedom_count(type);
    int moves = solid_node_freedoms(type->freedoms & (MOVE_X | MOVE_Y | MOVE_Z));
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            A[r * n + c] /= (r % per_node >= moves ? length : 1.0) * (c % per_node >= moves ? length : 1.0);
        }
    }
}

TEST(solids, eigenvalues_are_positive_but_for_rigid_motion)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 5) {
            patch p = patch_make(type, plane, &rng);
            v3 X[SOLID_NODES];
            double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
            double values[SOLID_FREEDOMS];
            int n = solid_freedom_count(type);
            patch_corners(&p, 0, X);
            type->stiffness(type, X, &p.material, K);
            even_out(type, K, v3_norm(v3_sub(X[1], X[0])));
            patch_eigenvalues(K, n, values);
            int rigid = rigid_count(&p);
            CHECK_LE(fabs(values[0]), 1e-13 * values[n - 1]);
            CHECK_LE(fabs(values[rigid - 1]), 1e-13 * values[n - 1]);
            CHECK_GE(values[rigid], 1e-6 * values[n - 1]);
        }
    }
}

TEST(solids, matrices_are_symmetric_and_masses_positive)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 5) {
            patch p = patch_make(type, plane, &rng);
            v3 X[SOLID_NODES];
            double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
            double M[SOLID_FREEDOMS * SOLID_FREEDOMS];
            double m[SOLID_FREEDOMS];
            double values[SOLID_FREEDOMS];
            int n = solid_freedom_count(type);
            patch_corners(&p, p.element_count - 1, X);
            type->stiffness(type, X, &p.material, K);
            type->mass(type, X, &p.material, M);
            type->lumped_mass(type, X, &p.material, m);
            for (int r = 0; r < n; ++r) {
                CHECK(m[r] > 0.0);
                for (int c = 0; c < n; ++c) {
                    CHECK(K[r * n + c] == K[c * n + r] && M[r * n + c] == M[c * n + r]);
                }
            }
            even_out(type, M, v3_norm(v3_sub(X[1], X[0])));
            patch_eigenvalues(M, n, values);
            CHECK(values[0] > 1e-6 * values[n - 1]);
        }
    }
}

/* ---- mass ---- */

static double density_of(const patch *p)
{
    return p->material.density * (patch_is_line(p->type) ? p->material.section.area : 1.0);
}

/* Integral of (d . r)^2 over a box or a line, for d across which it does not matter. */
static double second_moment(const patch *p, v3 d)
{
    v3 middle = v3_axpy(p->origin, 0.5, p->size);
    double at = v3_dot(d, middle);
    double spread = patch_is_line(p->type) ? v3_dot(d, p->size) * v3_dot(d, p->size) / 12.0
                                           : (d.x * d.x * p->size.x * p->size.x + d.y * d.y * p->size.y * p->size.y +
                                              d.z * d.z * p->size.z * p->size.z) /
                                                 12.0;
    return at * at + spread;
}

/* Kinetic energy, twice, of the angular velocity w about the origin. */
static double turning(const patch *p, v3 w)
{
    v3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    double mean = 0.0;
    for (int a = 0; a < 3; ++a) {
        mean += second_moment(p, v3_cross(axes[a], w)); /* e . (w x r) = (e x w) . r */
    }
    double total = density_of(p) * measure_of(p) * mean;
    if (p->type->beam) {
        const solid_section *s = &p->material.section;
        bool rotary = solid_type_find("timoshenko-beam") == p->type ||
                      solid_type_find("timoshenko-beam-planar") == p->type;
        v3 local = m3_tmulv(line_axes(p), w);
        double about_x = patch_is_planar(p->type) ? 0.0 : (s->inertia_y + s->inertia_z) * local.x * local.x;
        double across = s->inertia_y * local.y * local.y + s->inertia_z * local.z * local.z;
        total += p->material.density * measure_of(p) * (about_x + (rotary ? across : 0.0));
    }
    return total;
}

TEST(solids, mass_and_inertia_are_those_of_what_is_filled)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 3) {
            patch p = patch_make(type, plane, &rng);
            int n = patch_freedoms(&p);
            double *M = patch_assemble(&p, type->mass);
            double *u = calloc((size_t)n, sizeof *u);
            CHECK(u != NULL);
            double mass = density_of(&p) * measure_of(&p);
            v3 y = v3_make(0.0, 1.0, 0.0);
            patch_rigid(type, p.X, p.node_count, y, v3_zero(), u);
            CHECK_NEAR(patch_product(M, u, u, n) / mass, 1.0, 1e-12);
            v3 w = patch_is_planar(type) ? v3_make(0.0, 0.0, 1.3) : random_v3(&rng, 1.0);
            if (!patch_is_axisymmetric(&p)) {
                patch_rigid(type, p.X, p.node_count, v3_zero(), w, u);
                /* Elements with curved edges: their rules are exact to degree 5, this is of degree 6 and more. */
                CHECK_NEAR(patch_product(M, u, u, n) / turning(&p, w), 1.0,
                           type->node_count >= 6 && type->node_count != 8 ? 1e-5 : 1e-12);
            }
            free(M);
            free(u);
        }
    }
}

TEST(solids, lumped_mass_keeps_the_sum_and_row_sums_the_centre)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 3) {
            patch p = patch_make(type, plane, &rng);
            int per_node = solid_node_freedoms(type->freedoms);
            double sum = 0.0;
            v3 moment = v3_zero();
            for (int e = 0; e < p.element_count; ++e) {
                v3 X[SOLID_NODES];
                double m[SOLID_FREEDOMS];
                patch_corners(&p, e, X);
                type->lumped_mass(type, X, &p.material, m);
                for (int i = 0; i < type->node_count; ++i) {
                    sum += m[per_node * i + 1];
                    moment = v3_axpy(moment, m[per_node * i], X[i]);
                }
            }
            CHECK_NEAR(sum / (density_of(&p) * measure_of(&p)), 1.0, 1e-12);
            bool scaled = type->node_count == 6 || type->node_count == 10;
            v3 middle = v3_axpy(p.origin, 0.5, p.size);
            if (!scaled && !patch_is_axisymmetric(&p)) {
                CHECK_LE(v3_norm(v3_sub(v3_scale(1.0 / sum, moment), middle)), 1e-12);
            }
        }
    }
}

/* ---- points ---- */

TEST(solids, shape_functions_follow_rigid_motion_and_nodes)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 5) {
            patch p = patch_make(type, plane, &rng);
            v3 X[SOLID_NODES];
            double u[SOLID_FREEDOMS];
            double N[3 * SOLID_FREEDOMS];
            double weights[SOLID_NODES];
            double xi[3] = { 0 };
            int n = solid_freedom_count(type);
            patch_corners(&p, 1, X);
            v3 move = random_v3(&rng, 1.0);
            v3 turn = v3_make(0.0, 0.0, random_unit(&rng));
            move.z = patch_is_planar(type) ? 0.0 : move.z;
            patch_rigid(type, X, type->node_count, move, turn, u);
            for (int i = -1; i < type->node_count; ++i) {
                for (int a = 0; a < type->dimension; ++a) {
                    xi[a] = i < 0 ? test_rng_uniform(&rng, 0.0, 0.3) : type->nodes[i][a];
                }
                type->weights(type, xi, weights);
                type->interpolation(type, X, &p.material, xi, N);
                v3 x = v3_zero();
                for (int k = 0; k < type->node_count; ++k) {
                    x = v3_axpy(x, weights[k], X[k]);
                }
                v3 expected = v3_add(move, v3_cross(turn, x));
                const double want[3] = { expected.x, expected.y, expected.z };
                CHECK_LE(i < 0 ? 0.0 : v3_norm(v3_sub(x, X[i])), 1e-14);
                for (int a = 0; a < 3; ++a) {
                    double got = 0.0;
                    for (int c = 0; c < n; ++c) {
                        got += N[a * n + c] * u[c];
                    }
                    CHECK_NEAR(got, want[a], 1e-13);
                }
            }
        }
    }
}

/* ---- frames and units ---- */

/* Freedoms in turned axes. */
static void turn_freedoms(const solid_type *type, m3 R, const double *u, double *out)
{
    int per_node = solid_node_freedoms(type->freedoms);
    for (int i = 0; i < type->node_count; ++i) {
        double all[NODE_FREEDOMS] = { 0 };
        for (int a = 0, k = 0; a < NODE_FREEDOMS; ++a) {
            if (type->freedoms & (1u << a)) {
                all[a] = u[per_node * i + k++];
            }
        }
        patch_put(type, m3_mulv(R, v3_make(all[0], all[1], all[2])), m3_mulv(R, v3_make(all[3], all[4], all[5])),
                  out + per_node * i);
    }
}

static void check_energy(patch_matrix *matrix, const solid_type *type, const v3 *X, const solid_material *material,
                         const v3 *turned_X, const solid_material *turned_material, const double *u,
                         const double *turned_u)
{
    double A[SOLID_FREEDOMS * SOLID_FREEDOMS];
    double B[SOLID_FREEDOMS * SOLID_FREEDOMS];
    int n = solid_freedom_count(type);
    matrix(type, X, material, A);
    matrix(type, turned_X, turned_material, B);
    double scale = 0.0;
    for (int k = 0; k < n; ++k) {
        scale += A[k * n + k] * u[k] * u[k];
    }
    CHECK_NEAR(patch_product(A, u, u, n) / scale, patch_product(B, turned_u, turned_u, n) / scale, 1e-12);
}

TEST(solids, do_not_know_where_they_are)
{
    FOR_EACH_CASE(type, plane)
    {
        FOR_EACH_SEED(rng, 10) {
            patch p = patch_make(type, plane, &rng);
            v3 X[SOLID_NODES];
            v3 turned_X[SOLID_NODES];
            double u[SOLID_FREEDOMS];
            double turned_u[SOLID_FREEDOMS];
            v3 axis = patch_is_planar(type) ? v3_make(0.0, 0.0, 1.0) : random_direction(&rng);
            v3 move = random_v3(&rng, 1.0);
            m3 R = q_matrix(q_axis_angle(axis, random_unit(&rng) * 3.0));
            if (patch_is_axisymmetric(&p)) {
                R = m3_identity();
                move.x = 0.0;
            }
            move.z = patch_is_planar(type) ? 0.0 : move.z;
            solid_material turned = p.material;
            turned.section.up = m3_mulv(R, p.material.section.up);
            patch_corners(&p, 1, X);
            for (int i = 0; i < type->node_count; ++i) {
                turned_X[i] = v3_add(move, m3_mulv(R, X[i]));
            }
            for (int k = 0; k < solid_freedom_count(type); ++k) {
                u[k] = random_unit(&rng);
            }
            turn_freedoms(type, R, u, turned_u);
            check_energy(type->stiffness, type, X, &p.material, turned_X, &turned, u, turned_u);
            check_energy(type->mass, type, X, &p.material, turned_X, &turned, u, turned_u);
            double strain[2][SOLID_STRAINS];
            double stress[2][SOLID_STRAINS];
            double xi[3] = { 0.2, 0.1, 0.3 };
            type->strain(type, X, &p.material, u, xi, strain[0]);
            type->strain(type, turned_X, &turned, turned_u, xi, strain[1]);
            double work[2] = { 0.0, 0.0 };
            for (int k = 0; k < 2; ++k) {
                type->stress(type, &p.material, strain[k], stress[k]);
                for (int a = 0; a < SOLID_STRAINS; ++a) {
                    work[k] += strain[k][a] * stress[k][a];
                }
            }
            CHECK_NEAR(work[1] / work[0], 1.0, 1e-11);
        }
    }
}

/* Everything s times as large, sections and thickness too: K is s times as large, M s^3 times, each rotation s times more. */
TEST(solids, scale_with_length)
{
    const double s = 0x1p-7;
    FOR_EACH_CASE(type, plane)
    {
        test_rng rng = test_rng_seed(3);
        patch p = patch_make(type, plane, &rng);
        solid_material small = p.material;
        v3 X[SOLID_NODES];
        v3 small_X[SOLID_NODES];
        double A[SOLID_FREEDOMS * SOLID_FREEDOMS];
        double B[SOLID_FREEDOMS * SOLID_FREEDOMS];
        int per_node = solid_node_freedoms(type->freedoms);
        int moves = solid_node_freedoms(type->freedoms & (MOVE_X | MOVE_Y | MOVE_Z));
        int n = solid_freedom_count(type);
        small.thickness *= s;
        small.section.area *= s * s;
        small.section.inertia_y *= s * s * s * s;
        small.section.inertia_z *= s * s * s * s;
        small.section.torsion *= s * s * s * s;
        patch_corners(&p, 0, X);
        for (int i = 0; i < type->node_count; ++i) {
            small_X[i] = v3_scale(s, X[i]);
        }
        patch_matrix *const matrices[2] = { type->stiffness, type->mass };
        for (int k = 0; k < 2; ++k) {
            matrices[k](type, X, &p.material, A);
            matrices[k](type, small_X, &small, B);
            double largest = largest_entry(A, n * n);
            for (int r = 0; r < n; ++r) {
                for (int c = 0; c < n; ++c) {
                    double factor = (k ? s * s * s : s) * (r % per_node >= moves ? s : 1.0) *
                                    (c % per_node >= moves ? s : 1.0);
                    CHECK_NEAR(B[r * n + c] / factor, A[r * n + c], 1e-14 * largest);
                }
            }
        }
    }
}

/* ---- refusals ---- */

TEST(solids, good_ones_are_accepted_and_bad_geometry_is_refused)
{
    FOR_EACH_CASE(type, plane)
    {
        test_rng rng = test_rng_seed(1);
        patch p = patch_make(type, plane, &rng);
        carom_error err = { 0 };
        v3 X[SOLID_NODES];
        for (int e = 0; e < p.element_count; ++e) {
            patch_corners(&p, e, X);
            CHECK_OK(solid_check_geometry(type, X, &p.material, &err), err);
        }
        X[1] = X[0];
        CHECK_EQ(solid_check_geometry(type, X, &p.material, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, type->kind.name);
        patch_corners(&p, 0, X);
        X[1].y = (double)NAN;
        CHECK_EQ(solid_check_geometry(type, X, &p.material, &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "node 2");
        patch_corners(&p, 0, X);
        if (patch_is_planar(type)) {
            X[1].z = 0.1;
            CHECK_EQ(solid_check_geometry(type, X, &p.material, &err), CAROM_BAD_INPUT);
            CHECK_CONTAINS(err.message, "xy plane");
        }
        if (!patch_is_line(type)) {
            patch_corners(&p, 0, X);
            v3 kept = X[1];
            X[1] = X[2];
            X[2] = kept;
            CHECK_EQ(solid_check_geometry(type, X, &p.material, &err), CAROM_BAD_INPUT);
            CHECK_CONTAINS(err.message, "inside out");
        }
    }
}

TEST(solids, the_axis_ends_axisymmetry_and_up_is_not_along)
{
    carom_error err = { 0 };
    solid_material m = patch_material();
    m.plane = AXISYMMETRIC;
    v3 quad[4] = { { -0.1, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    CHECK_EQ(solid_check_geometry(solid_type_find("quad4"), quad, &m, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "axis");
    m.section.up = v3_make(2.0, 0.0, 0.0);
    v3 beam[2] = { { 0, 0, 0 }, { 1, 0, 0 } };
    CHECK_EQ(solid_check_geometry(solid_type_find("euler-beam"), beam, &m, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "'up'");
    CHECK_OK(solid_check_geometry(solid_type_find("bar"), beam, &m, &err), err);
}

TEST(solids, materials_without_what_is_used_are_refused)
{
    FOR_EACH_CASE(type, plane)
    {
        carom_error err = { 0 };
        solid_material good = patch_material();
        good.plane = plane;
        CHECK_OK(solid_check_material(type, &good, &err), err);
        for (const carom_field *f = type->kind.fields; f->name; ++f) {
            if (f->flags & CAROM_POSITIVE) {
                const double bad[3] = { 0.0, -1.0, (double)NAN };
                for (int k = 0; k < 3; ++k) {
                    solid_material m = good;
                    memcpy((char *)&m + f->offset, &bad[k], sizeof bad[k]);
                    CHECK_EQ(solid_check_material(type, &m, &err), CAROM_BAD_INPUT);
                    CHECK_CONTAINS(err.message, f->name);
                }
            }
        }
        good.poisson = 0.5;
        CHECK_EQ(solid_check_material(type, &good, &err), CAROM_BAD_INPUT);
        good.poisson = 0.3;
        good.plane = 3;
        CHECK_EQ(solid_check_material(type, &good, &err), CAROM_BAD_INPUT);
    }
}

TEST(solids, are_found_by_name)
{
    for (const solid_type *const *type = solid_types(); *type; ++type) {
        CHECK(solid_type_find((*type)->kind.name) == *type);
        CHECK_LE(solid_freedom_count(*type), SOLID_FREEDOMS);
        CHECK_LE((*type)->node_count, SOLID_NODES);
    }
    CHECK(solid_type_find("shell") == NULL);
    CHECK(solid_type_find(NULL) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(solids, pass_the_patch_test),
        RUN_TEST(solids, constant_strain_leaves_inner_nodes_in_balance),
        RUN_TEST(solids, energy_is_half_of_stress_times_strain),
        RUN_TEST(solids, rigid_motion_costs_nothing),
        RUN_TEST(solids, eigenvalues_are_positive_but_for_rigid_motion),
        RUN_TEST(solids, matrices_are_symmetric_and_masses_positive),
        RUN_TEST(solids, mass_and_inertia_are_those_of_what_is_filled),
        RUN_TEST(solids, lumped_mass_keeps_the_sum_and_row_sums_the_centre),
        RUN_TEST(solids, shape_functions_follow_rigid_motion_and_nodes),
        RUN_TEST(solids, do_not_know_where_they_are),
        RUN_TEST(solids, scale_with_length),
        RUN_TEST(solids, good_ones_are_accepted_and_bad_geometry_is_refused),
        RUN_TEST(solids, the_axis_ends_axisymmetry_and_up_is_not_along),
        RUN_TEST(solids, materials_without_what_is_used_are_refused),
        RUN_TEST(solids, are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
