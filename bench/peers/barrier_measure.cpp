// What the poses of an engine come to, whoever wrote them: one measure for all. Shares no code with carom.
//
// Penetration is the deepest overlap of two convex parts of different bodies, in any frame: the least over all directions that
// can separate them (normals of faces, products of edges) of how far they overlap, which is exact for convex solids. Spheres
// by the distance of their centres to the other part.
//
// Prints "penetration DEPTH between A B at T outcome WORDS-WITH-DASHES". usage: barrier_measure SCENE.txt POSES
#include <array>

#include "barrier_scene.h"

using V = std::array<double, 3>;

static V operator+(const V &a, const V &b) { return { a[0] + b[0], a[1] + b[1], a[2] + b[2] }; }
static V operator-(const V &a, const V &b) { return { a[0] - b[0], a[1] - b[1], a[2] - b[2] }; }
static V operator*(double s, const V &a) { return { s * a[0], s * a[1], s * a[2] }; }
static double dot(const V &a, const V &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static V cross(const V &a, const V &b)
{
    return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}
static double length(const V &a) { return std::sqrt(dot(a, a)); }

struct Pose {
    V x{};
    double q[4] = { 1, 0, 0, 0 };
    V v{};
    V turned(const V &a) const
    {
        const V u = { q[1], q[2], q[3] };
        const V t = 2.0 * cross(u, a);
        return a + q[0] * t + cross(u, t);
    }
    V placed(const V &a) const { return x + turned(a); }
};

struct Frame {
    double t = 0;
    std::vector<Pose> poses;
};

static std::vector<Frame> read_frames(const char *path, size_t bodies)
{
    std::ifstream in(path);
    std::vector<Frame> frames;
    std::string word;
    while (in >> word) {
        Frame f;
        in >> f.t;
        f.poses.resize(bodies);
        for (Pose &p : f.poses) {
            for (double *to : { &p.x[0], &p.x[1], &p.x[2], &p.q[0], &p.q[1], &p.q[2], &p.q[3], &p.v[0], &p.v[1], &p.v[2] }) {
                in >> word; // engines that explode write nan, which streams do not read
                *to = std::strtod(word.c_str(), nullptr);
            }
        }
        if (in) { // an engine that crashes may leave half a frame
            frames.push_back(f);
        }
    }
    if (frames.empty()) {
        stop(std::string(path) + " has no frames");
    }
    return frames;
}

// ---- convex parts ---------------------------------------------------------------------------------------------------------

struct Part {
    std::vector<V> points, normals, edges; // normals and directions of edges, each once
    std::vector<std::array<int, 3>> triangles;
    double radius = 0; // of a sphere, without points
};

static void add_direction(std::vector<V> &to, V d)
{
    const double l = length(d);
    if (l < 1e-12) {
        return;
    }
    d = (1.0 / l) * d;
    for (const V &have : to) {
        if (std::abs(dot(have, d)) > 1 - 1e-12) {
            return;
        }
    }
    to.push_back(d);
}

static V normal_of(const Part &p, const std::array<int, 3> &t)
{
    const V &a = p.points[size_t(t[0])];
    const V n = cross(p.points[size_t(t[1])] - a, p.points[size_t(t[2])] - a);
    return (1.0 / length(n)) * n;
}

// Edges between triangles in one plane are no edges.
static void find_edges(Part &p)
{
    std::map<std::pair<int, int>, V> seen;
    for (const auto &t : p.triangles) {
        for (int k = 0; k < 3; ++k) {
            const int i = t[size_t(k)], j = t[size_t((k + 1) % 3)];
            const auto key = std::minmax(i, j);
            const auto other = seen.find(key);
            if (other == seen.end()) {
                seen[key] = normal_of(p, t);
            } else if (dot(other->second, normal_of(p, t)) < 1 - 1e-12) {
                add_direction(p.edges, p.points[size_t(j)] - p.points[size_t(i)]);
            }
        }
    }
}

static Part part_of(const Solid &s)
{
    Part p;
    for (size_t i = 0; i < s.points.size(); i += 3) {
        p.points.push_back({ s.points[i], s.points[i + 1], s.points[i + 2] });
    }
    for (size_t i = 0; i < s.triangles.size(); i += 3) {
        p.triangles.push_back({ s.triangles[i], s.triangles[i + 1], s.triangles[i + 2] });
        add_direction(p.normals, normal_of(p, p.triangles.back()));
    }
    find_edges(p);
    return p;
}

struct Placed {
    int body = 0;
    const Part *part = nullptr;
    std::vector<V> points, normals, edges;
    V centre{}, low{}, high{};
};

static Placed place(int body, const Part &part, const Pose &pose)
{
    Placed p;
    p.body = body;
    p.part = &part;
    p.centre = pose.x;
    for (int k = 0; k < 3; ++k) {
        p.low[size_t(k)] = part.radius > 0 ? pose.x[size_t(k)] - part.radius : HUGE_VAL;
        p.high[size_t(k)] = part.radius > 0 ? pose.x[size_t(k)] + part.radius : -HUGE_VAL;
    }
    for (const V &x : part.points) {
        p.points.push_back(pose.placed(x));
        for (size_t k = 0; k < 3; ++k) {
            p.low[k] = std::min(p.low[k], p.points.back()[k]);
            p.high[k] = std::max(p.high[k], p.points.back()[k]);
        }
    }
    for (const V &n : part.normals) {
        p.normals.push_back(pose.turned(n));
    }
    for (const V &e : part.edges) {
        p.edges.push_back(pose.turned(e));
    }
    return p;
}

// How far two sets of points overlap along a direction, whichever way is shorter.
static double overlap_along(const Placed &a, const Placed &b, const V &n)
{
    double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { -HUGE_VAL, -HUGE_VAL };
    const Placed *both[2] = { &a, &b };
    for (int k = 0; k < 2; ++k) {
        for (const V &x : both[k]->points) {
            low[k] = std::min(low[k], dot(n, x));
            high[k] = std::max(high[k], dot(n, x));
        }
    }
    return std::min(high[0] - low[1], high[1] - low[0]);
}

static double overlap_solids(const Placed &a, const Placed &b)
{
    double least = HUGE_VAL;
    for (const Placed *p : { &a, &b }) {
        for (const V &n : p->normals) {
            least = std::min(least, overlap_along(a, b, n));
            if (least <= 0) {
                return 0;
            }
        }
    }
    for (const V &e : a.edges) {
        for (const V &f : b.edges) {
            const V n = cross(e, f);
            const double l = length(n);
            if (l > 1e-9) {
                least = std::min(least, overlap_along(a, b, (1.0 / l) * n));
            }
            if (least <= 0) {
                return 0;
            }
        }
    }
    return least;
}

static double distance_to_segment(const V &x, const V &a, const V &b)
{
    const V d = b - a;
    const double s = std::clamp(dot(x - a, d) / dot(d, d), 0.0, 1.0);
    return length(x - (a + s * d));
}

static double distance_to_triangle(const V &x, const V &a, const V &b, const V &c)
{
    const V n = cross(b - a, c - a);
    const bool inside = dot(cross(b - a, x - a), n) >= 0 && dot(cross(c - b, x - b), n) >= 0 && dot(cross(a - c, x - c), n) >= 0;
    if (inside) {
        return std::abs(dot(x - a, n)) / length(n);
    }
    return std::min({ distance_to_segment(x, a, b), distance_to_segment(x, b, c), distance_to_segment(x, c, a) });
}

static double overlap_sphere(const Placed &ball, const Placed &solid)
{
    double nearest = HUGE_VAL, highest = -HUGE_VAL;
    for (const auto &t : solid.part->triangles) {
        const V &a = solid.points[size_t(t[0])], &b = solid.points[size_t(t[1])], &c = solid.points[size_t(t[2])];
        const V n = cross(b - a, c - a);
        highest = std::max(highest, dot(ball.centre - a, n) / length(n));
        nearest = std::min(nearest, distance_to_triangle(ball.centre, a, b, c));
    }
    return ball.part->radius - (highest < 0 ? -nearest : nearest);
}

static double overlap(const Placed &a, const Placed &b)
{
    for (size_t k = 0; k < 3; ++k) {
        if (!(a.low[k] < b.high[k] && b.low[k] < a.high[k])) {
            return 0;
        }
    }
    if (a.part->radius > 0 && b.part->radius > 0) {
        return std::max(0.0, a.part->radius + b.part->radius - length(a.centre - b.centre));
    }
    if (a.part->radius > 0 || b.part->radius > 0) {
        return std::max(0.0, a.part->radius > 0 ? overlap_sphere(a, b) : overlap_sphere(b, a));
    }
    return overlap_solids(a, b);
}

struct Deepest {
    double depth = 0, t = 0;
    int a = -1, b = -1;
};

static void measure_frame(const Scene &s, const std::vector<std::vector<Part>> &parts, const Frame &f, Deepest &deepest)
{
    std::vector<Placed> all;
    for (size_t i = 0; i < s.bodies.size(); ++i) {
        for (const Part &p : parts[size_t(s.bodies[i].shape)]) {
            all.push_back(place(int(i), p, f.poses[i]));
        }
    }
    std::sort(all.begin(), all.end(), [](const Placed &a, const Placed &b) { return a.low[0] < b.low[0]; });
    for (size_t i = 0; i < all.size(); ++i) {
        for (size_t j = i + 1; j < all.size() && all[j].low[0] < all[i].high[0]; ++j) {
            const bool moves = s.bodies[size_t(all[i].body)].kind == "free" || s.bodies[size_t(all[j].body)].kind == "free";
            const double depth = moves && all[i].body != all[j].body ? overlap(all[i], all[j]) : 0;
            if (depth > deepest.depth) {
                deepest = { depth, f.t, all[i].body, all[j].body };
            }
        }
    }
}

// ---- outcomes -------------------------------------------------------------------------------------------------------------

static Pose start_of(const Body &b)
{
    Pose p;
    p.x = { b.x[0], b.x[1], b.x[2] };
    std::copy(b.q, b.q + 4, p.q);
    return p;
}

static std::string say(const char *format, double a, double b = 0)
{
    char text[100];
    std::snprintf(text, sizeof text, format, a, b);
    return text;
}

// How often a circle about z of one body goes through that of another, signed.
static int linking(const Pose &a, const Pose &b, double radius)
{
    enum { CORNERS = 256 };
    const V n = a.turned({ 0, 0, 1 });
    int sum = 0;
    V before{};
    for (int k = 0; k <= CORNERS; ++k) {
        const double angle = 2 * M_PI * (k + 0.37) / CORNERS;
        const V x = b.placed({ radius * std::cos(angle), radius * std::sin(angle), 0 });
        const double h0 = dot(n, before - a.x), h1 = dot(n, x - a.x);
        if (k > 0 && (h0 < 0) != (h1 < 0)) {
            const V at = before + (h0 / (h0 - h1)) * (x - before);
            sum += length(at - a.x) < radius ? (h1 > h0 ? 1 : -1) : 0;
        }
        before = x;
    }
    return sum;
}

// Rings that go through each other at the start do so in every frame.
static std::string judge_links(const Scene &s, const std::vector<Frame> &frames, double radius)
{
    for (size_t i = 0; i < s.bodies.size(); ++i) {
        for (size_t j = i + 1; j < s.bodies.size(); ++j) {
            const bool rings = s.shapes[size_t(s.bodies[i].shape)].kind == "solid" && s.bodies[i].shape == s.bodies[j].shape;
            const int linked = rings ? linking(start_of(s.bodies[i]), start_of(s.bodies[j]), radius) : 0;
            const auto parts = [&](const Frame &f) { return linking(f.poses[i], f.poses[j], radius) != linked; };
            const auto torn = linked != 0 ? std::find_if(frames.begin(), frames.end(), parts) : frames.end();
            if (torn != frames.end()) {
                return s.bodies[j].name + say("-torn-off-at-%.2f-s", torn->t);
            }
        }
    }
    return "all-linked";
}

static std::string judge_slope(const Scene &s, const std::vector<Frame> &frames)
{
    const Pose &p = frames.back().poses.back();
    const double way = length(p.x - start_of(s.bodies.back()).x), speed = length(p.v);
    if (speed < 1e-3 && way < 0.05) {
        return say("holds-(%.2g-mm)", 1e3 * way);
    }
    return way < 0.05 ? say("creeps-(%.0f-mm)", 1e3 * way) : say("slides-%.3f-m", way);
}

// From where it stands after a twentieth of a second, in the axes of the table: when it has moved, and when it is off.
static std::string judge_turntable(const Scene &s, const std::vector<Frame> &frames)
{
    static const double MOVED = 5e-3; // [m]
    V first{};
    double moved = 0;
    for (const Frame &f : frames) {
        const Pose &table = f.poses[0];
        Pose back = table;
        back.x = {};
        back.q[0] = -back.q[0];
        const V seen = back.turned(f.poses[1].x - table.x);
        if (f.t <= 0.051) {
            first = seen;
        } else if (moved == 0 && length(seen - first) > MOVED) {
            moved = f.t;
        }
        if (f.poses[1].x[2] < 0) {
            return say("5-mm-at-%.2f-s,-off-at-%.1f", moved, f.t) + say("-(%.2f)", s.facts.at("slips_at"));
        }
    }
    const double way = length(frames.back().poses[1].x - frames.back().poses[0].x) - 1.5;
    return moved > 0 ? say("5-mm-at-%.2f-s,-%.0f-mm", moved, 1e3 * way) + say("-outwards-(%.2f)", s.facts.at("slips_at"))
                     : say("holds-(%.2f)", s.facts.at("slips_at"));
}

static std::string judge_travel(const Scene &s, const std::vector<Frame> &frames)
{
    const Pose start = start_of(s.bodies.back());
    double hop = 0, aside = 0;
    for (const Frame &f : frames) {
        hop = std::max(hop, f.poses.back().x[2] - start.x[2]);
        aside = std::max(aside, std::abs(f.poses.back().x[1] - start.x[1]));
    }
    const double way = frames.back().poses.back().x[0] - start.x[0];
    const std::string text = say("slides-%.3f-m-(%.3f)", way, s.facts.at("travels"));
    return hop > 5e-3 || aside > 5e-3 ? text + say(",-hops-%.0f-mm", 1e3 * hop) : text;
}

static std::string judge_stay(const Scene &s, const std::vector<Frame> &frames, double most)
{
    double moved = 0;
    size_t who = 0;
    for (size_t i = 0; i < s.bodies.size(); ++i) {
        const double way = length(frames.back().poses[i].x - start_of(s.bodies[i]).x);
        if (s.bodies[i].kind == "free" && way > moved) {
            moved = way;
            who = i;
        }
    }
    return moved < most ? say("stands-(%.1f-mm)", 1e3 * moved)
                        : "falls-(" + s.bodies[who].name + say("-by-%.2f-m)", moved);
}

static std::string judge_above(const Scene &s, const std::vector<Frame> &frames, double height)
{
    double speed = 0;
    for (size_t i = 0; i < s.bodies.size(); ++i) {
        for (const Frame &f : frames) {
            if (s.bodies[i].kind == "free" && f.poses[i].x[2] < height) {
                return s.bodies[i].name + say("-passes-through-at-%.2f-s", f.t);
            }
        }
        speed = std::max(speed, s.bodies[i].kind == "free" ? length(frames.back().poses[i].v) : 0);
    }
    return speed < 0.05 ? "comes-to-rest" : say("still-moves-with-%.2f-m/s", speed);
}

// Speeds that neither the start nor falling by what there is to fall can give.
static std::string judge_speeds(const Scene &s, const std::vector<Frame> &frames)
{
    double most = 1, low = 0, high = 0;
    for (const Body &b : s.bodies) {
        most = std::max(most, std::sqrt(b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2]));
        most = std::max(most, b.kind == "spins" ? 4 * b.spin * s.end : 0);
        high = std::max(high, b.x[2]);
        low = std::min(low, b.x[2]);
    }
    const double g = length({ s.gravity[0], s.gravity[1], s.gravity[2] });
    const double reach = high - low + (s.facts.count("linked") ? 1.5 * double(s.bodies.size()) : 0);
    for (const Frame &f : frames) {
        for (size_t i = 0; i < s.bodies.size(); ++i) {
            const Pose &p = f.poses[i];
            // What falls past everything is judged elsewhere: free fall from the start is allowed for.
            const double fair = 2 * (most + std::sqrt(2 * g * reach) + g * f.t);
            if (s.bodies[i].kind == "free" && !(length(p.v) < fair)) {
                return say("explodes-at-%.2f-s-(%.3g-m/s)", f.t, length(p.v));
            }
        }
    }
    return "";
}

static std::string judge(const Scene &s, const std::vector<Frame> &frames)
{
    std::string text = judge_speeds(s, frames);
    if (!text.empty()) {
        return text;
    }
    const auto &facts = s.facts;
    if (facts.count("slides")) {
        return judge_slope(s, frames);
    }
    if (facts.count("slips_at")) {
        return judge_turntable(s, frames);
    }
    if (facts.count("linked")) {
        return judge_links(s, frames, facts.at("linked"));
    }
    if (facts.count("travels")) {
        return judge_travel(s, frames);
    }
    if (facts.count("stays")) {
        return judge_stay(s, frames, facts.at("stays"));
    }
    return facts.count("stays_above") ? judge_above(s, frames, facts.at("stays_above")) : "runs";
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        stop("usage: barrier_measure SCENE.txt POSES");
    }
    const Scene s = read_scene(argv[1]);
    const std::vector<Frame> frames = read_frames(argv[2], s.bodies.size());
    std::vector<std::vector<Part>> parts;
    for (const Shape &shape : s.shapes) {
        parts.emplace_back();
        if (shape.kind == "sphere") {
            parts.back().emplace_back();
            parts.back().back().radius = shape.size[0];
        }
        for (const Solid &solid : shape.parts) {
            parts.back().push_back(part_of(solid));
        }
    }
    Deepest deepest;
    for (const Frame &f : frames) {
        measure_frame(s, parts, f, deepest);
    }
    std::printf("penetration %.3g between %s %s at %.3g outcome %s\n", deepest.depth, deepest.a >= 0 ? s.bodies[size_t(deepest.a)].name.c_str() : "-",
                deepest.b >= 0 ? s.bodies[size_t(deepest.b)].name.c_str() : "-", deepest.t, judge(s, frames).c_str());
    return 0;
}
