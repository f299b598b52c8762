// A scene of barrier_scenes.py in Bullet, double precision: boxes and spheres as its own shapes, other solids as compounds of
// their convex parts. Nothing falls asleep.
//   default  steps of the scene, 10 iterations, the collision margin of 0.04 m of hulls
//   tuned    ten steps for one, 50 iterations, margins of a thousandth of the size, swept spheres for what is fast
// usage: barrier_bullet SCENE.txt default|tuned POSES [EVERY]
#include <btBulletDynamicsCommon.h>

#include "barrier_scene.h"

// A body whose motion is given: turned about z by spin t^2 / 2.
struct Turning : btMotionState {
    btTransform start;
    double spin = 0, t = 0;
    void getWorldTransform(btTransform &to) const override
    {
        to = start;
        to.setRotation(btQuaternion(btVector3(0, 0, 1), 0.5 * spin * t * t) * start.getRotation());
    }
    void setWorldTransform(const btTransform &) override {}
};

static btCollisionShape *make_hull(const Solid &s, double margin)
{
    auto *hull = new btConvexHullShape;
    for (size_t i = 0; i < s.points.size(); i += 3) {
        hull->addPoint(btVector3(s.points[i], s.points[i + 1], s.points[i + 2]), false);
    }
    hull->recalcLocalAabb();
    if (margin > 0) {
        hull->setMargin(margin);
    }
    return hull;
}

static btCollisionShape *make_shape(const Shape &s, double margin)
{
    if (s.kind == "sphere") {
        return new btSphereShape(s.size[0]);
    }
    if (s.kind == "box") {
        auto *box = new btBoxShape(btVector3(s.size[0] / 2, s.size[1] / 2, s.size[2] / 2));
        if (margin > 0) {
            box->setMargin(margin);
        }
        return box;
    }
    if (s.parts.size() == 1) {
        return make_hull(s.parts[0], margin);
    }
    auto *all = new btCompoundShape;
    for (const Solid &part : s.parts) {
        all->addChildShape(btTransform::getIdentity(), make_hull(part, margin));
    }
    return all;
}

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    std::vector<btRigidBody *> bodies;
    std::vector<Turning *> turning;
};

static btRigidBody *make_body(World &w, const Body &b, btCollisionShape *shape, const Request &r)
{
    const bool is_free = b.kind == "free";
    btTransform pose(btQuaternion(b.q[1], b.q[2], b.q[3], b.q[0]), btVector3(b.x[0], b.x[1], b.x[2]));
    const btVector3 inertia(b.inertia[0], b.inertia[1], b.inertia[2]);
    btRigidBody::btRigidBodyConstructionInfo info(is_free ? b.mass : 0, nullptr, shape, is_free ? inertia : btVector3(0, 0, 0));
    info.m_startWorldTransform = pose;
    info.m_friction = std::sqrt(r.scene.friction); // of a pair it is the product
    if (b.kind == "spins") {
        auto *state = new Turning;
        state->start = pose;
        state->spin = b.spin;
        info.m_motionState = state;
        w.turning.push_back(state);
    }
    auto *body = new btRigidBody(info);
    body->setLinearVelocity(btVector3(b.v[0], b.v[1], b.v[2]));
    body->setActivationState(DISABLE_DEACTIVATION);
    if (b.kind == "spins") {
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    if (r.tuned && is_free) {
        body->setCcdMotionThreshold(0.2 * r.scene.size);
        body->setCcdSweptSphereRadius(0.2 * r.scene.size);
    }
    return body;
}

static void write_frame(std::FILE *out, const World &w)
{
    for (const btRigidBody *body : w.bodies) {
        const btTransform &pose = body->getWorldTransform();
        const btQuaternion q = pose.getRotation();
        const double x[3] = { pose.getOrigin().x(), pose.getOrigin().y(), pose.getOrigin().z() };
        const double turned[4] = { q.w(), q.x(), q.y(), q.z() };
        const double v[3] = { body->getLinearVelocity().x(), body->getLinearVelocity().y(), body->getLinearVelocity().z() };
        write_row(out, x, turned, v);
    }
}

int main(int argc, char **argv)
{
    const Request r = read_request(argc, argv);
    World w;
    w.world.setGravity(btVector3(r.scene.gravity[0], r.scene.gravity[1], r.scene.gravity[2]));
    if (r.tuned) {
        w.world.getSolverInfo().m_numIterations = 50;
    }
    std::vector<btCollisionShape *> shapes;
    for (const Shape &s : r.scene.shapes) {
        shapes.push_back(make_shape(s, r.tuned ? 1e-3 * r.scene.size : 0));
    }
    for (const Body &b : r.scene.bodies) {
        w.bodies.push_back(make_body(w, b, shapes[size_t(b.shape)], r));
        w.world.addRigidBody(w.bodies.back());
    }
    const auto advance = [&](double t) {
        for (Turning *state : w.turning) {
            state->t = t;
        }
        w.world.stepSimulation(r.h(), 0, r.h());
    };
    run_request(r, advance, [&](std::FILE *out) { write_frame(out, w); });
    std::_Exit(0); // Bullet's worlds want their parts given back one by one; the process ends here anyway
}
