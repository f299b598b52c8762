/* Stiffness, mass and strain of beams; beam.h has the equations. Matrices are written down in local axes and turned. */
#include "elements/solids/beam.h"

#include <string.h>

enum { MOST = 12 }; /* freedoms */

const double beam_nodes[2][3] = { { -1, 0, 0 }, { 1, 0, 0 } };

static bool is_planar(const solid_type *type)
{
    return !(type->freedoms & MOVE_Z);
}

/* ---- the line ---- */

typedef struct line {
    double length;
    m3 R; /* local axes to world axes */
} line;

static line line_of(const solid_type *type, const v3 *X, const solid_material *material)
{
    v3 along = v3_sub(X[1], X[0]);
    double length = v3_norm(along);
    v3 x = v3_scale(1.0 / length, along);
    v3 up = is_planar(type) ? v3_make(-x.y, x.x, 0.0) : material->section.up;
    v3 y = v3_unit(v3_axpy(up, -v3_dot(up, x), x));
    return (line){ length, m3_from_columns(x, y, v3_cross(x, y)) };
}

m3 beam_axes(const solid_type *type, const v3 *X, const solid_material *material)
{
    return line_of(type, X, material).R;
}

const char *beam_geometry_fault(const solid_type *type, const v3 *X, const solid_material *material)
{
    v3 along = v3_sub(X[1], X[0]);
    double length = v3_norm(along);
    if (!(length > 0.0)) {
        return "has no length: its two nodes are at the same place";
    }
    v3 up = material->section.up;
    if (type->beam && !is_planar(type) && !(v3_norm(v3_cross(along, up)) > 1e-6 * length * v3_norm(up))) {
        return "has no direction across it: give its section an 'up' that is not along the beam";
    }
    return NULL;
}

void beam_weights(const solid_type *type, const double xi[3], double *weights)
{
    (void)type;
    weights[0] = 0.5 * (1.0 - xi[0]);
    weights[1] = 0.5 * (1.0 + xi[0]);
}

/* T: local freedoms to world freedoms. */
static void turn_matrix(const solid_type *type, const m3 *R, double T[MOST][MOST])
{
    int n = solid_freedom_count(type);
    memset(T, 0, MOST * sizeof T[0]);
    for (int first = 0; first < n; first += 3) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                T[first + r][first + c] = R->m[3 * r + c];
            }
        }
    }
}

/* A <- T A T', symmetric to the last bit. */
static void turn(const solid_type *type, const line *l, double *A)
{
    int n = solid_freedom_count(type);
    double T[MOST][MOST];
    double half[MOST][MOST];
    turn_matrix(type, &l->R, T);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            half[r][c] = 0.0;
            for (int k = 0; k < n; ++k) {
                half[r][c] += A[r * n + k] * T[c][k];
            }
        }
    }
    for (int r = 0; r < n; ++r) {
        for (int c = r; c < n; ++c) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += T[r][k] * half[k][c];
            }
            A[r * n + c] = A[c * n + r] = sum;
        }
    }
}

/* ---- bending ---- */

/* One of the planes in which a beam bends: where v1, theta1, v2, theta2 are among its freedoms, and the sign with which theta turns
 * x towards v. */
typedef struct bending {
    int at[4];
    double sign;
    double inertia;   /* [m^4] */
    double stiffness; /* E I */
    double phi;
    int shear, bend; /* components of strain */
} bending;

static double shear_modulus(const solid_material *material)
{
    return material->young / (2.0 * (1.0 + material->poisson));
}

static bending bending_of(const solid_type *type, const solid_material *material, double length, double inertia,
                          double share)
{
    bending b = { .inertia = inertia, .stiffness = material->young * inertia, .sign = 1.0 };
    if (type->beam->shear) {
        b.phi = 12.0 * b.stiffness / (share * shear_modulus(material) * material->section.area * length * length);
    }
    return b;
}

/* Writes the planes of bending and returns their number. */
static int bendings_of(const solid_type *type, const solid_material *material, double length, bending out[2])
{
    static const int planar[4] = { 1, 2, 4, 5 };
    static const int about_z[4] = { 1, 5, 7, 11 };
    static const int about_y[4] = { 2, 4, 8, 10 };
    const solid_section *s = &material->section;
    out[0] = bending_of(type, material, length, s->inertia_z, s->shear_y);
    out[0].shear = STRAIN_SHEAR_Y;
    out[0].bend = STRAIN_BEND_Z;
    memcpy(out[0].at, is_planar(type) ? planar : about_z, sizeof planar);
    if (is_planar(type)) {
        return 1;
    }
    out[1] = bending_of(type, material, length, s->inertia_y, s->shear_z);
    out[1].shear = STRAIN_SHEAR_Z;
    out[1].bend = STRAIN_BEND_Y;
    out[1].sign = -1.0;
    memcpy(out[1].at, about_y, sizeof about_y);
    return 2;
}

/* g and kappa per v1, theta1, v2, theta2. */
static void bending_rows(double length, double g[4], double kappa[4])
{
    const double angle[4] = { -1.0 / length, -0.5, 1.0 / length, -0.5 };
    const double mean[4] = { 0.0, -1.0 / length, 0.0, 1.0 / length };
    memcpy(g, angle, sizeof angle);
    memcpy(kappa, mean, sizeof mean);
}

/* v and theta at s per v1, theta1, v2, theta2. */
static void bending_shape(double s, double length, double phi, double v[4], double theta[4])
{
    double g[4];
    double kappa[4];
    bending_rows(length, g, kappa);
    for (int k = 0; k < 4; ++k) {
        double bent = 6.0 * g[k] / (1.0 + phi);
        theta[k] = kappa[k] * length * s - bent * s * (s - 1.0);
        v[k] = length *
               (0.5 * kappa[k] * length * s * s - bent * s * s * (s / 3.0 - 0.5) + g[k] * phi / (1.0 + phi) * s);
    }
    v[0] += 1.0;
    theta[1] += 1.0;
    v[1] += length * s;
}

static void add_block(double *A, int n, const bending *b, double block[4][4])
{
    const double sign[4] = { 1.0, b->sign, 1.0, b->sign };
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
            A[b->at[r] * n + b->at[c]] += sign[r] * sign[c] * block[r][c];
        }
    }
}

static void add_bending_stiffness(double *K, int n, const bending *b, double length)
{
    double g[4];
    double kappa[4];
    double block[4][4];
    bending_rows(length, g, kappa);
    double resistance = 12.0 * b->stiffness / (length * (1.0 + b->phi));
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
            block[r][c] = b->stiffness * length * kappa[r] * kappa[c] + resistance * g[r] * g[c];
        }
    }
    add_block(K, n, b, block);
}

/* Four Gauss points: exact for products of cubic functions. */
static const double gauss[4][2] = {
    { 0.06943184420297371239, 0.17392742256872692869 },
    { 0.33000947820757186760, 0.32607257743127307131 },
    { 0.66999052179242813240, 0.32607257743127307131 },
    { 0.93056815579702628761, 0.17392742256872692869 },
};

static void add_bending_mass(const solid_type *type, const solid_material *material, double *M, const bending *b,
                             double length)
{
    double block[4][4] = { { 0 } };
    double moving = material->density * material->section.area * length;
    double turning = type->beam->shear ? material->density * b->inertia * length : 0.0;
    for (int q = 0; q < 4; ++q) {
        double v[4];
        double theta[4];
        bending_shape(gauss[q][0], length, b->phi, v, theta);
        for (int r = 0; r < 4; ++r) {
            for (int c = 0; c < 4; ++c) {
                block[r][c] += gauss[q][1] * (moving * v[r] * v[c] + turning * theta[r] * theta[c]);
            }
        }
    }
    add_block(M, solid_freedom_count(type), b, block);
}

/* ---- matrices ---- */

/* A 2 x 2 matrix of the freedoms `at` of both nodes. */
static void add_pair(const solid_type *type, double *A, int at, double same, double other)
{
    int n = solid_freedom_count(type);
    int second = at + n / 2;
    A[at * n + at] += same;
    A[second * n + second] += same;
    A[at * n + second] += other;
    A[second * n + at] += other;
}

static double polar(const solid_section *s)
{
    return s->inertia_y + s->inertia_z;
}

static void clear(const solid_type *type, double *A)
{
    size_t n = (size_t)solid_freedom_count(type);
    memset(A, 0, n * n * sizeof *A);
}

void beam_stiffness(const solid_type *type, const v3 *X, const solid_material *material, double *K)
{
    line l = line_of(type, X, material);
    bending b[2];
    double extension = material->young * material->section.area / l.length;
    clear(type, K);
    add_pair(type, K, 0, extension, -extension);
    if (!is_planar(type)) {
        double twist = shear_modulus(material) * material->section.torsion / l.length;
        add_pair(type, K, 3, twist, -twist);
    }
    int count = bendings_of(type, material, l.length, b);
    for (int k = 0; k < count; ++k) {
        add_bending_stiffness(K, solid_freedom_count(type), &b[k], l.length);
    }
    turn(type, &l, K);
}

void beam_mass(const solid_type *type, const v3 *X, const solid_material *material, double *M)
{
    line l = line_of(type, X, material);
    bending b[2];
    double sixth = material->density * l.length / 6.0;
    clear(type, M);
    add_pair(type, M, 0, 2.0 * sixth * material->section.area, sixth * material->section.area);
    if (!is_planar(type)) {
        add_pair(type, M, 3, 2.0 * sixth * polar(&material->section), sixth * polar(&material->section));
    }
    int count = bendings_of(type, material, l.length, b);
    for (int k = 0; k < count; ++k) {
        add_bending_mass(type, material, M, &b[k], l.length);
    }
    turn(type, &l, M);
}

/* Half of the rotary inertia of bending. */
static double half_rotary(const solid_type *type, const solid_material *material, double length, double inertia)
{
    double density = material->density;
    return type->beam->shear ? 0.5 * density * inertia * length
                             : density * material->section.area * length * length * length / 78.0;
}

void beam_lumped_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m)
{
    line l = line_of(type, X, material);
    const solid_section *s = &material->section;
    int per_node = solid_freedom_count(type) / 2;
    int moves = is_planar(type) ? 2 : 3;
    m3 turning = m3_rotate_tensor(l.R, m3_diag(0.5 * material->density * polar(s) * l.length,
                                               half_rotary(type, material, l.length, s->inertia_y),
                                               half_rotary(type, material, l.length, s->inertia_z)));
    for (int i = 0; i < 2; ++i) {
        for (int a = 0; a < moves; ++a) {
            m[per_node * i + a] = 0.5 * material->density * s->area * l.length;
        }
        for (int a = is_planar(type) ? 2 : 0; a < 3; ++a) {
            m[per_node * i + (is_planar(type) ? 2 : 3 + a)] = turning.m[4 * a];
        }
    }
}

/* ---- points ---- */

/* Displacement in local axes of the point s per local freedom. */
static void local_interpolation(const solid_type *type, const solid_material *material, double length, double s,
                                double N[3][MOST])
{
    bending b[2];
    int n = solid_freedom_count(type);
    int count = bendings_of(type, material, length, b);
    memset(N, 0, 3 * sizeof N[0]);
    N[0][0] = 1.0 - s;
    N[0][n / 2] = s;
    for (int k = 0; k < count; ++k) {
        double v[4];
        double theta[4];
        bending_shape(s, length, b[k].phi, v, theta);
        for (int c = 0; c < 4; ++c) {
            N[1 + k][b[k].at[c]] = (c % 2 ? b[k].sign : 1.0) * v[c];
        }
    }
}

/* R N T': from local axes to world axes on both sides. */
void beam_interpolation(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3],
                        double *N)
{
    line l = line_of(type, X, material);
    int n = solid_freedom_count(type);
    double local[3][MOST];
    double T[MOST][MOST];
    local_interpolation(type, material, l.length, 0.5 * (1.0 + xi[0]), local);
    turn_matrix(type, &l.R, T);
    for (int c = 0; c < n; ++c) {
        v3 moved = v3_zero();
        for (int k = 0; k < n; ++k) {
            moved = v3_axpy(moved, T[c][k], v3_make(local[0][k], local[1][k], local[2][k]));
        }
        moved = m3_mulv(l.R, moved);
        N[c] = moved.x;
        N[n + c] = moved.y;
        N[2 * n + c] = moved.z;
    }
}

static void local_freedoms(const solid_type *type, const line *l, const double *u, double *local)
{
    int n = solid_freedom_count(type);
    double T[MOST][MOST];
    turn_matrix(type, &l->R, T);
    for (int r = 0; r < n; ++r) {
        local[r] = 0.0;
        for (int k = 0; k < n; ++k) {
            local[r] += T[k][r] * u[k];
        }
    }
}

void beam_strain(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                 const double xi[3], double strain[SOLID_STRAINS])
{
    line l = line_of(type, X, material);
    bending b[2];
    double local[MOST];
    int n = solid_freedom_count(type);
    local_freedoms(type, &l, u, local);
    memset(strain, 0, SOLID_STRAINS * sizeof *strain);
    strain[STRAIN_AXIAL] = (local[n / 2] - local[0]) / l.length;
    if (!is_planar(type)) {
        strain[STRAIN_TWIST] = (local[9] - local[3]) / l.length;
    }
    int count = bendings_of(type, material, l.length, b);
    for (int k = 0; k < count; ++k) {
        double v1 = local[b[k].at[0]];
        double theta1 = b[k].sign * local[b[k].at[1]];
        double v2 = local[b[k].at[2]];
        double theta2 = b[k].sign * local[b[k].at[3]];
        double g = (v2 - v1) / l.length - 0.5 * (theta1 + theta2);
        double share = g / (1.0 + b[k].phi);
        strain[b[k].shear] = share * b[k].phi;
        strain[b[k].bend] = b[k].sign * ((theta2 - theta1) - 6.0 * xi[0] * share) / l.length;
    }
}

void beam_stress(const solid_type *type, const solid_material *material, const double strain[SOLID_STRAINS],
                 double stress[SOLID_STRAINS])
{
    const solid_section *s = &material->section;
    double shear = shear_modulus(material);
    memset(stress, 0, SOLID_STRAINS * sizeof *stress);
    stress[STRAIN_AXIAL] = material->young * s->area * strain[STRAIN_AXIAL];
    if (type->beam) {
        stress[STRAIN_SHEAR_Y] = s->shear_y * shear * s->area * strain[STRAIN_SHEAR_Y];
        stress[STRAIN_SHEAR_Z] = s->shear_z * shear * s->area * strain[STRAIN_SHEAR_Z];
        stress[STRAIN_TWIST] = shear * s->torsion * strain[STRAIN_TWIST];
        stress[STRAIN_BEND_Y] = material->young * s->inertia_y * strain[STRAIN_BEND_Y];
        stress[STRAIN_BEND_Z] = material->young * s->inertia_z * strain[STRAIN_BEND_Z];
    }
}
