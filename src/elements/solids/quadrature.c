/* Points of integration. Squares and cubes: products of Gauss points in -1..1. Triangle: Radon's seven points, exact to degree 5.
 * Tetrahedron: the middle, the four points exact to degree 2, and fourteen points exact to degree 5 with positive weights
 * [Walkington2000]. Weights add up to the area or volume in natural coordinates. */
#include "elements/solids/continuum.h"

#define COUNT(points) ((int)(sizeof(points) / sizeof((points)[0])))

/* Gauss points of a line: two, then three. */
#define A 0.57735026918962576451
#define B 0.77459666924148337704
#define OUTER (5.0 / 9.0)
#define INNER (8.0 / 9.0)

/* clang-format off */
static const quadrature_point square2[] = {
    { { -A, -A, 0 }, 1.0 }, { { A, -A, 0 }, 1.0 }, { { A, A, 0 }, 1.0 }, { { -A, A, 0 }, 1.0 },
};

#define ROW3(y, z, weight) \
    { { -B, y, z }, OUTER * (weight) }, { { 0, y, z }, INNER * (weight) }, { { B, y, z }, OUTER * (weight) }
#define SQUARE3(z, weight) ROW3(-B, z, OUTER * (weight)), ROW3(0, z, INNER * (weight)), ROW3(B, z, OUTER * (weight))

static const quadrature_point square3[] = { SQUARE3(0, 1.0) };

static const quadrature_point cube2[] = {
    { { -A, -A, -A }, 1.0 }, { { A, -A, -A }, 1.0 }, { { A, A, -A }, 1.0 }, { { -A, A, -A }, 1.0 },
    { { -A, -A, A }, 1.0 },  { { A, -A, A }, 1.0 },  { { A, A, A }, 1.0 },  { { -A, A, A }, 1.0 },
};

static const quadrature_point cube3[] = { SQUARE3(-B, OUTER), SQUARE3(0, INNER), SQUARE3(B, OUTER) };

/* Three points p, p; 1 - 2p, p; p, 1 - 2p. */
#define TRIPLE(p, weight) \
    { { p, p, 0 }, weight }, { { 1 - 2 * (p), p, 0 }, weight }, { { p, 1 - 2 * (p), 0 }, weight }

static const quadrature_point triangle7[] = {
    { { 1.0 / 3.0, 1.0 / 3.0, 0 }, 0.1125 },
    TRIPLE(0.47014206410511508977, 0.06619707639425309037),
    TRIPLE(0.10128650732345633880, 0.06296959027241357630),
};

static const quadrature_point tetrahedron1[] = { { { 0.25, 0.25, 0.25 }, 1.0 / 6.0 } };

/* Four points, one near each corner or face. */
#define CORNERS(p, weight)                                                                     \
    { { p, p, p }, weight }, { { 1 - 3 * (p), p, p }, weight }, { { p, 1 - 3 * (p), p }, weight }, \
    { { p, p, 1 - 3 * (p) }, weight }
/* Six points, one near each edge. */
#define EDGES(p, q, weight)                                                                   \
    { { p, p, q }, weight }, { { p, q, p }, weight }, { { q, p, p }, weight }, { { p, q, q }, weight }, \
    { { q, p, q }, weight }, { { q, q, p }, weight }

static const quadrature_point tetrahedron4[] = { CORNERS(0.13819660112501051518, 1.0 / 24.0) };

static const quadrature_point tetrahedron14[] = {
    CORNERS(0.31088591926330060980, 0.11268792571801585080 / 6.0),
    CORNERS(0.09273525031089122640, 0.07349304311636194954 / 6.0),
    EDGES(0.04550370412564964949, 0.45449629587435035051, 0.04254602077708146644 / 6.0),
};
/* clang-format on */

const quadrature quadrature_square2 = { COUNT(square2), square2 };
const quadrature quadrature_square3 = { COUNT(square3), square3 };
const quadrature quadrature_cube2 = { COUNT(cube2), cube2 };
const quadrature quadrature_cube3 = { COUNT(cube3), cube3 };
const quadrature quadrature_triangle7 = { COUNT(triangle7), triangle7 };
const quadrature quadrature_tetrahedron1 = { COUNT(tetrahedron1), tetrahedron1 };
const quadrature quadrature_tetrahedron4 = { COUNT(tetrahedron4), tetrahedron4 };
const quadrature quadrature_tetrahedron14 = { COUNT(tetrahedron14), tetrahedron14 };
