/* 3x3 matrices: products, inverse, and eigenvectors also where eigenvalues coincide. */
#include "random.h"

TEST(mat3, skew_is_the_cross_product)
{
    FOR_EACH_SEED(rng, 100) {
        v3 a = random_v3(&rng, 3.0), b = random_v3(&rng, 3.0);
        CHECK_NEAR(v3_apart(m3_mulv(m3_skew(a), b), v3_cross(a, b)), 0.0, 0.0);
    }
}

TEST(mat3, transposed_product_needs_no_transpose)
{
    FOR_EACH_SEED(rng, 100) {
        m3 a = random_m3(&rng, 1.0);
        v3 v = random_v3(&rng, 1.0);
        CHECK_NEAR(v3_apart(m3_tmulv(a, v), m3_mulv(m3_transpose(a), v)), 0.0, 0.0);
    }
}

TEST(mat3, product_is_columnwise)
{
    FOR_EACH_SEED(rng, 100) {
        m3 a = random_m3(&rng, 1.0), b = random_m3(&rng, 1.0), c = m3_mul(a, b);
        for (int j = 0; j < 3; ++j) {
            CHECK_NEAR(v3_apart(m3_column(c, j), m3_mulv(a, m3_column(b, j))), 0.0, 1e-15);
        }
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(v3_apart(m3_row(c, i), m3_tmulv(b, m3_row(a, i))), 0.0, 1e-15);
        }
    }
}

TEST(mat3, inverse_undoes)
{
    FOR_EACH_SEED(rng, 200) {
        m3 a = m3_add(random_m3(&rng, 1.0), m3_diag(4.0, 4.0, 4.0)); /* diagonally dominant: regular */
        CHECK_LE(m3_apart(m3_mul(a, m3_inverse(a)), m3_identity()), 1e-14);
        CHECK_NEAR(m3_det(a) * m3_det(m3_inverse(a)), 1.0, 1e-13);
    }
}

TEST(mat3, turning_a_tensor_keeps_its_invariants)
{
    FOR_EACH_SEED(rng, 100) {
        m3 a = random_m3(&rng, 1.0);
        m3 turned = m3_rotate_tensor(q_matrix(random_rotation(&rng)), a);
        CHECK_NEAR(m3_trace(turned), m3_trace(a), 1e-14);
        CHECK_NEAR(m3_det(turned), m3_det(a), 1e-14);
    }
}

/* A v = lambda v, V orthonormal and right-handed, eigenvalues ascending; all relative to the size of A. */
static void check_eigen(m3 a, double size)
{
    double values[3];
    m3 vectors;
    m3_eigen_symmetric(a, values, &vectors);
    for (int i = 0; i < 3; ++i) {
        v3 v = m3_column(vectors, i);
        CHECK_LE(v3_apart(m3_mulv(a, v), v3_scale(values[i], v)), 1e-14 * size);
    }
    CHECK_LE(m3_apart(m3_mul(m3_transpose(vectors), vectors), m3_identity()), 4e-15);
    CHECK_NEAR(m3_det(vectors), 1.0, 4e-15);
    CHECK_LE(values[0], values[1]);
    CHECK_LE(values[1], values[2]);
}

static m3 symmetric(const double values[3], quat q)
{
    m3 a = m3_rotate_tensor(q_matrix(q), m3_diag(values[0], values[1], values[2]));
    return m3_scale(0.5, m3_add(a, m3_transpose(a)));
}

TEST(eigen, recovers_chosen_values)
{
    FOR_EACH_SEED(rng, 500) {
        double l0 = test_rng_uniform(&rng, -3, -1), l1 = test_rng_uniform(&rng, -1, 1),
               l2 = test_rng_uniform(&rng, 1, 3);
        const double chosen[3] = { l2, l0, l1 };
        double values[3];
        m3 vectors, a = symmetric(chosen, random_rotation(&rng));
        m3_eigen_symmetric(a, values, &vectors);
        CHECK_NEAR(values[0], l0, 1e-14);
        CHECK_NEAR(values[1], l1, 1e-14);
        CHECK_NEAR(values[2], l2, 1e-14);
        check_eigen(a, 3.0);
    }
}

TEST(eigen, holds_for_equal_values)
{
    FOR_EACH_SEED(rng, 200) {
        quat q = random_rotation(&rng);
        check_eigen(symmetric((const double[3]){ 1, 1, 2 }, q), 2.0);
        check_eigen(symmetric((const double[3]){ 2, 1, 2 }, q), 2.0);
        check_eigen(symmetric((const double[3]){ 1, 1, 1 }, q), 1.0);
        check_eigen(symmetric((const double[3]){ 1, 1 + 1e-14, 1 - 1e-14 }, q), 1.0);
    }
    check_eigen(m3_diag(0.0, 0.0, 0.0), 1.0);
    check_eigen(m3_diag(3, 1, 2), 3.0);
}

TEST(eigen, holds_for_small_large_and_uneven_inertias)
{
    FOR_EACH_SEED(rng, 200) {
        quat q = random_rotation(&rng);
        check_eigen(symmetric((const double[3]){ 1e-12, 2e-12, 3e-12 }, q), 3e-12);
        check_eigen(symmetric((const double[3]){ 1e12, 2e12, 3e12 }, q), 3e12);
        check_eigen(symmetric((const double[3]){ 1e-8, 1.0, 1e8 }, q), 1e8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mat3, skew_is_the_cross_product),
        RUN_TEST(mat3, transposed_product_needs_no_transpose),
        RUN_TEST(mat3, product_is_columnwise),
        RUN_TEST(mat3, inverse_undoes),
        RUN_TEST(mat3, turning_a_tensor_keeps_its_invariants),
        RUN_TEST(eigen, recovers_chosen_values),
        RUN_TEST(eigen, holds_for_equal_values),
        RUN_TEST(eigen, holds_for_small_large_and_uneven_inertias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
