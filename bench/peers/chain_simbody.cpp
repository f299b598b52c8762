// The chain of bench/chain.c in Simbody (pin or ball mobilizers, fixed step): steps per second, drift, joint gap.
// usage: chain_simbody N pin|ball verlet|euler|rk3
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

using namespace SimTK;

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static void add_rods(SimbodyMatterSubsystem &matter, int count, bool ball)
{
    const Body::Rigid rod(MassProperties(1, Vec3(0), Inertia(0.01, 1.0 / 12, 1.0 / 12)));
    const Rotation pin_axis(-Pi / 2, XAxis); // a pin turns about z; this lays it along y
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < count; ++i) {
        const Transform outer(pin_axis, Vec3(i > 0 ? 0.5 : 0.0, 0, 0));
        const Transform inner(pin_axis, Vec3(-0.5, 0, 0));
        if (ball) {
            parent = MobilizedBody::Ball(parent, outer, rod, inner);
        } else {
            parent = MobilizedBody::Pin(parent, outer, rod, inner);
        }
    }
}

static std::unique_ptr<Integrator> make_integrator(const MultibodySystem &system, const std::string &name, double h)
{
    std::unique_ptr<Integrator> integrator;
    if (name == "verlet") {
        integrator = std::make_unique<VerletIntegrator>(system);
    } else if (name == "rk3") {
        integrator = std::make_unique<RungeKutta3Integrator>(system);
    } else {
        return std::make_unique<SemiExplicitEulerIntegrator>(system, h);
    }
    integrator->setFixedStepSize(h);
    return integrator;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: chain_simbody N pin|ball verlet|euler|rk3\n");
        return 2;
    }
    const double h = 1e-3;
    const int steps = 1000;
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::Gravity gravity(forces, matter, Vec3(0, 0, -9.81));
    add_rods(matter, std::atoi(argv[1]), std::string(argv[2]) == "ball");
    State state = system.realizeTopology();
    system.realize(state, Stage::Velocity);
    const double before = system.calcEnergy(state);
    const double potential = system.calcPotentialEnergy(state);
    auto integrator = make_integrator(system, argv[3], h);
    integrator->setAllowInterpolation(false);
    integrator->initialize(state);
    const double start = cpu_seconds();
    for (int k = 1; k <= steps; ++k) {
        integrator->stepTo(k * h);
    }
    const double spent = cpu_seconds() - start;
    const State &end = integrator->getState();
    system.realize(end, Stage::Velocity);
    const double released = potential - system.calcPotentialEnergy(end);
    std::printf("simbody-%s %s %s %.1f %.2e %.2e\n", argv[3], argv[2], argv[1], steps / spent,
                (system.calcEnergy(end) - before) / released, 0.0);
    return 0;
}
