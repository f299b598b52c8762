// A scene of barrier_scenes.py in ODE: boxes and spheres as its own shapes, other solids as triangle meshes or convex parts.
//   default  steps of the scene, dWorldQuickStep with its 20 iterations, 8 contacts of a pair, solids as triangle meshes
//   tuned    ten steps for one, 100 iterations, 64 contacts of a pair, solids (and boxes, where there are others) as convex parts
//   direct   as tuned, with dWorldStep, which solves each step to the end; its time grows with the cube of the contacts
// Friction is the pyramid that goes with normal forces (dContactApprox1). Nothing falls asleep.
// usage: barrier_ode SCENE.txt default|tuned|direct POSES [EVERY]
#include <ode/ode.h>

#include "barrier_scene.h"

enum { MOST_CONTACTS = 64 };

// What ODE's convex geoms point to for as long as they live. They hold their own origin, the centre of their points.
struct Convex {
    double centre[3] = {};
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

struct World {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0);
    int most = 8;
    double friction = 0;
    std::vector<dBodyID> bodies; // nullptr: fixed
};

static Convex *make_convex(const Solid &s)
{
    auto *c = new Convex;
    const double count = double(s.points.size() / 3);
    for (size_t i = 0; i < s.points.size(); ++i) {
        c->centre[i % 3] += s.points[i] / count;
    }
    for (size_t i = 0; i < s.points.size(); ++i) {
        c->points.push_back(s.points[i] - c->centre[i % 3]);
    }
    for (size_t t = 0; t < s.triangles.size(); t += 3) {
        const double *p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = &c->points[size_t(3 * s.triangles[t + size_t(k)])];
        }
        double a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = p[1][k] - p[0][k];
            b[k] = p[2][k] - p[0][k];
        }
        double n[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
        const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double height = 0;
        for (int k = 0; k < 3; ++k) {
            n[k] /= length;
            height += n[k] * p[0][k];
            c->planes.push_back(n[k]);
        }
        c->planes.push_back(height);
        c->polygons.insert(c->polygons.end(), { 3u, unsigned(s.triangles[t]), unsigned(s.triangles[t + 1]),
                                                unsigned(s.triangles[t + 2]) });
    }
    return c;
}

static dGeomID make_mesh(World &w, const Solid &s)
{
    auto *points = new std::vector<double>(s.points);
    auto *triangles = new std::vector<dTriIndex>(s.triangles.begin(), s.triangles.end());
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, points->data(), 24, int(points->size() / 3), triangles->data(), int(triangles->size()),
                                3 * sizeof(dTriIndex));
    return dCreateTriMesh(w.space, data, nullptr, nullptr, nullptr);
}

// A geom and where it stands in its body.
struct Placed {
    dGeomID geom;
    double at[3];
};

static std::vector<Placed> make_geoms(World &w, const Shape &s, bool as_convex)
{
    if (s.kind == "sphere") {
        return { { dCreateSphere(w.space, s.size[0]), {} } };
    }
    if (s.kind == "box" && !as_convex) {
        return { { dCreateBox(w.space, s.size[0], s.size[1], s.size[2]), {} } };
    }
    if (!as_convex) {
        return { { make_mesh(w, s.surface), {} } };
    }
    std::vector<Placed> all;
    for (const Solid &part : s.parts) {
        Convex *c = make_convex(part);
        dGeomID geom = dCreateConvex(w.space, c->planes.data(), unsigned(c->planes.size() / 4), c->points.data(),
                                     unsigned(c->points.size() / 3), c->polygons.data());
        all.push_back({ geom, { c->centre[0], c->centre[1], c->centre[2] } });
    }
    return all;
}

static void place_fixed(const Placed &p, const Body &b, const dQuaternion q)
{
    dMatrix3 R;
    dQtoR(q, R);
    double x[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = b.x[i] + R[4 * i] * p.at[0] + R[4 * i + 1] * p.at[1] + R[4 * i + 2] * p.at[2];
    }
    dGeomSetPosition(p.geom, x[0], x[1], x[2]);
    dGeomSetQuaternion(p.geom, q);
}

static void touch(void *context, dGeomID a, dGeomID b)
{
    auto *w = static_cast<World *>(context);
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    const bool moves = (body_a && !dBodyIsKinematic(body_a)) || (body_b && !dBodyIsKinematic(body_b));
    if (!moves || body_a == body_b) {
        return;
    }
    dContact found[MOST_CONTACTS];
    const int count = dCollide(a, b, w->most, &found[0].geom, sizeof found[0]);
    for (int i = 0; i < count; ++i) {
        found[i].surface = dSurfaceParameters();
        found[i].surface.mode = dContactApprox1;
        found[i].surface.mu = w->friction;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &found[i]), body_a, body_b);
    }
}

static dBodyID make_body(World &w, const Body &b, const std::vector<Placed> &geoms)
{
    const dQuaternion q = { b.q[0], b.q[1], b.q[2], b.q[3] };
    if (b.kind == "fixed") {
        for (const Placed &p : geoms) {
            place_fixed(p, b, q);
        }
        return nullptr;
    }
    dBodyID body = dBodyCreate(w.world);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b.x[0], b.x[1], b.x[2]);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, b.v[0], b.v[1], b.v[2]);
    if (b.kind == "spins") {
        dBodySetKinematic(body);
    }
    for (const Placed &p : geoms) {
        dGeomSetBody(p.geom, body);
        dGeomSetOffsetPosition(p.geom, p.at[0], p.at[1], p.at[2]);
    }
    return body;
}

static void write_frame(std::FILE *out, const Scene &scene, const World &w)
{
    static const double none[3] = {};
    for (size_t i = 0; i < w.bodies.size(); ++i) {
        const Body &b = scene.bodies[i];
        if (w.bodies[i]) {
            write_row(out, dBodyGetPosition(w.bodies[i]), dBodyGetQuaternion(w.bodies[i]), dBodyGetLinearVel(w.bodies[i]));
        } else {
            write_row(out, b.x, b.q, none);
        }
    }
}

static bool only_boxes(const Scene &scene)
{
    return std::all_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape &s) { return s.kind != "solid"; });
}

int main(int argc, char **argv)
{
    const Request r = read_request(argc, argv);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dSetMessageHandler([](int, const char *, va_list) {}); // it warns of full buckets and small steps with every pair
    World w;
    w.friction = r.scene.friction;
    w.most = r.tuned ? MOST_CONTACTS : 8;
    dWorldSetGravity(w.world, r.scene.gravity[0], r.scene.gravity[1], r.scene.gravity[2]);
    if (r.tuned) {
        dWorldSetQuickStepNumIterations(w.world, 100);
    }
    for (const Body &b : r.scene.bodies) {
        const Shape &s = r.scene.shapes[size_t(b.shape)];
        w.bodies.push_back(make_body(w, b, make_geoms(w, s, r.tuned && !only_boxes(r.scene))));
    }
    const auto advance = [&](double t) {
        for (size_t i = 0; i < w.bodies.size(); ++i) {
            if (r.scene.bodies[i].kind == "spins") {
                dBodySetAngularVel(w.bodies[i], 0, 0, r.scene.bodies[i].spin * (t - 0.5 * r.h()));
            }
        }
        dSpaceCollide(w.space, &w, touch);
        r.direct ? dWorldStep(w.world, r.h()) : dWorldQuickStep(w.world, r.h());
        dJointGroupEmpty(w.contacts);
    };
    run_request(r, advance, [&](std::FILE *out) { write_frame(out, r.scene, w); });
    return 0;
}
