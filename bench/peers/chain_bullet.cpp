// The chain of bench/chain.c in Bullet, double precision: as one Featherstone multibody, or as bodies with hinges
// solved by sequential impulses. usage: chain_bullet N multibody|hinges
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

static const double g = 9.81;
static const double h = 1e-3;
static const int steps = 1000;
static const btVector3 inertia(0.01, 1.0 / 12, 1.0 / 12);

struct Numbers {
    double energy = 0;
    double potential = 0;
    double gap = 0;
};

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    World() { world.setGravity(btVector3(0, 0, -g)); }
};

static btMultiBody *make_multibody(World &w, int n)
{
    auto *chain = new btMultiBody(n, 0, btVector3(0, 0, 0), true, false);
    chain->setLinearDamping(0);
    chain->setAngularDamping(0);
    chain->setMaxAppliedImpulse(1e30);
    chain->setMaxCoordinateVelocity(1e30);
    for (int i = 0; i < n; ++i) {
        const btVector3 joint_in_parent = i > 0 ? btVector3(0.5, 0, 0) : btVector3(0, 0, 0);
        chain->setupRevolute(i, 1, inertia, i - 1, btQuaternion::getIdentity(), btVector3(0, 1, 0), joint_in_parent,
                             btVector3(0.5, 0, 0), true);
    }
    chain->finalizeMultiDof();
    w.world.addMultiBody(chain);
    chain->setCanSleep(false);
    return chain;
}

// Planar motion in x and z; angles count about y.
static Numbers measure_multibody(const btMultiBody &chain)
{
    Numbers sum;
    double x = 0, z = 0, vx = 0, vz = 0, angle = 0, rate = 0;
    for (int i = 0; i < chain.getNumLinks(); ++i) {
        angle += chain.getJointPos(i);
        rate += chain.getJointVel(i);
        const double cx = std::cos(angle), cz = -std::sin(angle);
        const double ux = vx + 0.5 * rate * cz, uz = vz - 0.5 * rate * cx;
        const double potential = g * (z + 0.5 * cz);
        sum.potential += potential;
        sum.energy += 0.5 * (ux * ux + uz * uz) + 0.5 * inertia.y() * rate * rate + potential;
        x += cx;
        z += cz;
        vx += rate * cz;
        vz -= rate * cx;
    }
    return sum;
}

static std::vector<btRigidBody *> make_hinges(World &w, int n, btCollisionShape *shape)
{
    std::vector<btRigidBody *> rods;
    const btVector3 axis(0, 1, 0);
    for (int i = 0; i < n; ++i) {
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, shape, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), btVector3(i + 0.5, 0, 0));
        auto *rod = new btRigidBody(info);
        rod->setActivationState(DISABLE_DEACTIVATION);
        w.world.addRigidBody(rod, 1, 0);
        btHingeConstraint *hinge =
            i > 0 ? new btHingeConstraint(*rod, *rods[i - 1], btVector3(-0.5, 0, 0), btVector3(0.5, 0, 0), axis, axis)
                  : new btHingeConstraint(*rod, btVector3(-0.5, 0, 0), axis);
        w.world.addConstraint(hinge, true);
        rods.push_back(rod);
    }
    return rods;
}

static Numbers measure_hinges(const std::vector<btRigidBody *> &rods)
{
    Numbers sum;
    btVector3 before(0, 0, 0);
    for (const btRigidBody *rod : rods) {
        const btTransform &pose = rod->getWorldTransform();
        const btVector3 v = rod->getLinearVelocity();
        const double rate = rod->getAngularVelocity().y();
        const double potential = g * pose.getOrigin().z();
        sum.potential += potential;
        sum.energy += 0.5 * v.length2() + 0.5 * inertia.y() * rate * rate + potential;
        sum.gap = std::max(sum.gap, double((pose * btVector3(-0.5, 0, 0) - before).length()));
        before = pose * btVector3(0.5, 0, 0);
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: chain_bullet N multibody|hinges\n");
        return 2;
    }
    const int n = std::atoi(argv[1]);
    const bool multibody = std::string(argv[2]) == "multibody";
    World w;
    btSphereShape shape(0.01);
    btMultiBody *chain = multibody ? make_multibody(w, n) : nullptr;
    const std::vector<btRigidBody *> rods = multibody ? std::vector<btRigidBody *>() : make_hinges(w, n, &shape);
    const auto measure = [&] { return multibody ? measure_multibody(*chain) : measure_hinges(rods); };
    const Numbers first = measure();
    const double start = cpu_seconds();
    for (int k = 0; k < steps; ++k) {
        w.world.stepSimulation(h, 0, h);
    }
    const double spent = cpu_seconds() - start;
    const Numbers last = measure();
    std::printf("bullet-%s revolute %d %.1f %.2e %.2e\n", argv[2], n, steps / spent,
                (last.energy - first.energy) / (first.potential - last.potential), last.gap);
    std::fflush(stdout);
    std::_Exit(0); // Bullet's worlds want their parts given back one by one; the process ends here anyway
}
