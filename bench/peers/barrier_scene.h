// Scenes that barrier_scenes.py has written, for the other engines and for the measure; frames that all engines write alike.
#ifndef CAROM_BENCH_BARRIER_SCENE_H
#define CAROM_BENCH_BARRIER_SCENE_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

struct Solid {
    std::vector<double> points; // 3 each
    std::vector<int> triangles; // 3 each, counter-clockwise seen from outside
};

struct Shape {
    std::string kind; // box, sphere, solid
    double size[3] = {};
    Solid surface;
    std::vector<Solid> parts; // convex; a sphere has none
};

struct Body {
    std::string name, kind; // free, fixed, spins
    int shape = 0;
    double mass = 0, inertia[3] = {};
    double x[3] = {}, q[4] = {}; // w, x, y, z
    double v[3] = {};
    double spin = 0; // [rad/s^2] about z, prescribed
};

struct Scene {
    double step = 0, end = 0, gravity[3] = {}, friction = 0, size = 1;
    std::map<std::string, double> facts;
    std::vector<Shape> shapes;
    std::vector<Body> bodies;
};

[[noreturn]] static inline void stop(const std::string &why)
{
    std::fprintf(stderr, "benchmark: %s\n", why.c_str());
    std::exit(2);
}

static inline void read_numbers(std::istream &in, double *to, int count)
{
    for (int i = 0; i < count; ++i) {
        in >> to[i];
    }
}

static inline Solid read_solid(std::istream &in)
{
    size_t points = 0, triangles = 0;
    in >> points >> triangles;
    Solid s;
    s.points.resize(3 * points);
    s.triangles.resize(3 * triangles);
    for (double &x : s.points) {
        in >> x;
    }
    for (int &i : s.triangles) {
        in >> i;
    }
    return s;
}

static inline Body read_body(std::istream &in)
{
    Body b;
    in >> b.name >> b.kind >> b.shape >> b.mass;
    read_numbers(in, b.inertia, 3);
    read_numbers(in, b.x, 3);
    read_numbers(in, b.q, 4);
    read_numbers(in, b.v, 3);
    in >> b.spin;
    return b;
}

static inline Scene read_scene(const char *path)
{
    std::ifstream in(path);
    Scene s;
    std::string word;
    while (in >> word) {
        if (word == "time") {
            in >> s.step >> s.end;
        } else if (word == "gravity") {
            read_numbers(in, s.gravity, 3);
        } else if (word == "friction") {
            in >> s.friction;
        } else if (word == "size") {
            in >> s.size;
        } else if (word == "fact") {
            in >> word;
            in >> s.facts[word];
        } else if (word == "shape") {
            s.shapes.emplace_back();
            in >> s.shapes.back().kind;
            const std::string &kind = s.shapes.back().kind;
            read_numbers(in, s.shapes.back().size, kind == "box" ? 3 : kind == "sphere" ? 1 : 0);
        } else if (word == "surface") {
            s.shapes.back().surface = read_solid(in);
        } else if (word == "part") {
            s.shapes.back().parts.push_back(read_solid(in));
        } else if (word == "body") {
            s.bodies.push_back(read_body(in));
        } else {
            stop(std::string(path) + ": what is '" + word + "'?");
        }
    }
    if (s.bodies.empty() || !in.eof()) {
        stop(std::string(path) + " is no scene");
    }
    return s;
}

static inline double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// What an engine is asked: usage ENGINE SCENE.txt default|tuned|direct POSES [EVERY]
struct Request {
    Scene scene;
    bool tuned = false;  // ten steps for one of the scene, more iterations
    bool direct = false; // as tuned, and with a direct solver where there is one
    std::FILE *poses = nullptr;
    long every = 1;   // steps of the scene between two frames
    int substeps = 1; // of a step of the scene
    long steps() const
    {
        return std::lround(scene.end / scene.step);
    }
    double h() const
    {
        return scene.step / substeps;
    }
};

static inline Request read_request(int argc, char **argv)
{
    if (argc < 4) {
        stop("usage: ENGINE SCENE.txt default|tuned|direct POSES [EVERY]");
    }
    Request r;
    r.scene = read_scene(argv[1]);
    r.direct = std::string(argv[2]) == "direct";
    r.tuned = r.direct || std::string(argv[2]) == "tuned";
    r.poses = std::fopen(argv[3], "w");
    r.every = argc > 4 ? std::atol(argv[4]) : 1;
    r.substeps = r.tuned ? 10 : 1;
    if (!r.poses) {
        stop(std::string(argv[3]) + " cannot be written");
    }
    return r;
}

// A row of a frame: position, orientation w, x, y, z, velocity.
static inline void write_row(std::FILE *out, const double x[3], const double q[4], const double v[3])
{
    std::fprintf(out, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.6g %.6g %.6g\n", x[0], x[1], x[2], q[0], q[1],
                 q[2], q[3], v[0], v[1], v[2]);
}

// Steps of the scene, each by `advance` of its substep that ends at t; writes frames and prints "steps .. ms .. ms_median .. ms_max ..".
template <class Advance, class WriteFrame>
static void run_request(const Request &r, Advance advance, WriteFrame write_frame)
{
    std::vector<double> seconds;
    for (long k = 0; k < r.steps(); ++k) {
        const double start = cpu_seconds();
        for (int i = 0; i < r.substeps; ++i) {
            advance(double(k) * r.scene.step + (i + 1) * r.h());
        }
        seconds.push_back(cpu_seconds() - start);
        if (k % r.every == 0) {
            std::fprintf(r.poses, "frame %.9g\n", double(k + 1) * r.scene.step);
            write_frame(r.poses);
        }
    }
    std::fclose(r.poses);
    double sum = 0;
    for (double s : seconds) {
        sum += s;
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("bodies %zu steps %zu ms %.5g ms_median %.5g ms_max %.5g\n", r.scene.bodies.size(), seconds.size(),
                1e3 * sum / double(seconds.size()), 1e3 * seconds[seconds.size() / 2], 1e3 * seconds.back());
    std::fflush(stdout);
}

#endif
