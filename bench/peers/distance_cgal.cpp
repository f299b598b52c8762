// The grid of bench/distance.c with CGAL's AABB tree; the neighbour's nearest point is the hint.
// usage: distance_cgal MESH N STEP OUT
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <vector>

#include "distance_common.h"

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

static Triangles make_triangles(const Mesh &m)
{
    Triangles triangles;
    triangles.reserve(m.triangle_count);
    const auto point = [&](int i) {
        return Kernel::Point_3(m.vertices[3 * i], m.vertices[3 * i + 1], m.vertices[3 * i + 2]);
    };
    for (int i = 0; i < m.triangle_count; ++i) {
        const int *t = m.triangles + 3 * i;
        triangles.emplace_back(point(t[0]), point(t[1]), point(t[2]));
    }
    return triangles;
}

static std::vector<double> fill_grid(const Tree &tree, const Triangles &triangles, const Mesh &m, const Grid &g)
{
    std::vector<double> out;
    for (int z = 0; z < g.n; z += g.step) {
        for (int y = 0; y < g.n; ++y) {
            Tree::Point_and_primitive_id hit;
            for (int x = 0; x < g.n; ++x) {
                const double p[3] = { g.low[0] + g.spacing * x, g.low[1] + g.spacing * y, g.low[2] + g.spacing * z };
                const Kernel::Point_3 at(p[0], p[1], p[2]);
                hit = x == 0 ? tree.closest_point_and_primitive(at) : tree.closest_point_and_primitive(at, hit);
                const int triangle = int(hit.second - triangles.cbegin());
                double q[3];
                int feature;
                const double dist2 = nearest_on_triangle(&m, triangle, p, q, &feature);
                out.push_back(std::sqrt(dist2) * side_of(&m, triangle, feature, p, q));
            }
        }
    }
    return out;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        std::fprintf(stderr, "usage: distance_cgal MESH N STEP OUT\n");
        return 2;
    }
    Mesh m = read_mesh(argv[1]);
    const Grid g = make_grid(&m, std::atoi(argv[2]), std::atoi(argv[3]));
    const double start = cpu_seconds();
    find_normals(&m);
    const Triangles triangles = make_triangles(m);
    Tree tree(triangles.begin(), triangles.end());
    tree.build();
    tree.accelerate_distance_queries(); // for the first point of each row
    const double built = cpu_seconds();
    const std::vector<double> out = fill_grid(tree, triangles, m, g);
    const double done = cpu_seconds();
    report("cgal", &g, built - start, done - built, out.data(), argv[4], out.size());
    return 0;
}
