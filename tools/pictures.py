#!/usr/bin/env python3
"""Draws the pictures of the documentation from results of the examples.

    pictures.py RESULTS PICTURES NAME...     RESULTS/NAME/result.h5 -> PICTURES/NAME.png
    pictures.py --names                      the examples that have a picture

Each example has one function below: a view of the motion on the left, its main signals on the right.
"""
import os
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

BLUE, ORANGE, GREEN, RED, VIOLET, GREY = "#1f6fb4", "#e07b1a", "#2e9a57", "#c23b3b", "#7a5cad", "#8a8f98"
INK = "#22262b"
DPI = 110

plt.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 9.5, "axes.labelsize": 9,
    "axes.edgecolor": "#6b7078", "axes.labelcolor": INK, "text.color": INK, "xtick.color": "#4a4f57",
    "ytick.color": "#4a4f57", "axes.linewidth": 0.8, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e3e6ea", "grid.linewidth": 0.7, "axes.axisbelow": True,
    "legend.frameon": False, "legend.fontsize": 8.5, "lines.linewidth": 1.5, "figure.facecolor": "white",
    "savefig.facecolor": "white",
})


# ---- results --------------------------------------------------------------------------------------------------------

class Result:
    """A result.h5 in memory, by names."""

    def __init__(self, folder):
        with h5py.File(os.path.join(folder, "result.h5"), "r") as h5:
            def names(path):
                return [n.decode() if isinstance(n, bytes) else n for n in h5[path][()]]

            self.t = h5["time"][()]
            self.bodies = {n: i for i, n in enumerate(names("bodies/name"))}
            self.position = h5["bodies/position"][()]
            self.orientation = h5["bodies/orientation"][()]
            self.columns = {}
            for group in ("signals", "coordinates"):
                for i, name in enumerate(names(group + "/name")):
                    self.columns[name] = h5[group + "/value"][:, i]
            for name in h5["ledger"]:
                self.columns[name] = h5["ledger"][name][()]

    def __getitem__(self, signal):
        return self.columns[signal]

    def at(self, t):
        """Index of the frame nearest to t."""
        return int(np.argmin(np.abs(self.t - t)))

    def path(self, body):
        return self.position[:, self.bodies[body]]

    def points(self, body, frame, local):
        """World coordinates of points given in the body's frame."""
        w, x, y, z = self.orientation[frame, self.bodies[body]]
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        return self.position[frame, self.bodies[body]] + np.asarray(local, float) @ R.T


# ---- drawing --------------------------------------------------------------------------------------------------------

XY, XZ = (0, 1), (0, 2)


def figure(title, width=7.4, height=2.9, ratio=(1, 1.25)):
    fig, (view, plot) = plt.subplots(1, 2, figsize=(width, height), gridspec_kw={"width_ratios": ratio})
    fig.suptitle(title, x=0.012, ha="left", fontsize=10.5, fontweight="bold")
    return fig, view, plot


def as_view(ax, xlabel="x [m]", ylabel="y [m]", adjustable="datalim"):
    ax.set_aspect("equal", adjustable=adjustable)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)


def rectangle(a, b, plane, at=(0, 0, 0)):
    """Outline of a box with half edges a, b in the plane, in body axes."""
    corners = np.zeros((5, 3)) + np.asarray(at, float)
    corners[:, plane[0]] += np.array([-a, a, a, -a, -a])
    corners[:, plane[1]] += np.array([-b, -b, b, b, -b])
    return corners


def circle(radius, plane, at=(0, 0, 0)):
    s = np.linspace(0, 2 * np.pi, 61)
    points = np.zeros((61, 3)) + np.asarray(at, float)
    points[:, plane[0]] += radius * np.cos(s)
    points[:, plane[1]] += radius * np.sin(s)
    return points


def draw(ax, result, body, frame, outline, plane, color, alpha=1.0, fill=0.25, shift=(0.0, 0.0), zorder=3):
    p = result.points(body, frame, outline)
    x, y = p[:, plane[0]] + shift[0], p[:, plane[1]] + shift[1]
    ax.fill(x, y, color=color, alpha=fill * alpha, lw=0, zorder=zorder)
    ax.plot(x, y, color=color, alpha=alpha, lw=1.1, zorder=zorder)


def strobe(ax, result, outlines, times, plane):
    """The bodies at several times, fading in towards the last."""
    for k, t in enumerate(times):
        alpha = 1.0 if k == len(times) - 1 else 0.18 + 0.35 * k / len(times)
        for body, outline, color in outlines:
            draw(ax, result, body, result.at(t), outline, plane, color, alpha)


def ground(ax, x, y):
    ax.plot([x], [y], marker="^", ms=8, color="#4a4f57", zorder=6, ls="none")


def lines(ax, t, curves, ylabel, xlabel="t [s]", **legend):
    for (values, label), color in zip(curves, (BLUE, ORANGE, GREEN, RED, VIOLET, GREY)):
        ax.plot(t, values, color=color, label=label)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.margins(x=0)
    if any(label for _, label in curves):
        ax.legend(**{"loc": "best", **legend})


def second_axis(ax, t, values, label, color=ORANGE):
    right = ax.twinx()
    right.spines["right"].set_visible(True)
    right.grid(False)
    right.plot(t, values, color=color)
    right.set_ylabel(label, color=color)
    right.tick_params(axis="y", colors=color)
    return right


# ---- the examples ---------------------------------------------------------------------------------------------------

def pendulum(r):
    fig, view, plot = figure("pendulum")
    rod = rectangle(0.5, 0.025, XY)
    strobe(view, r, [("rod", rod, BLUE)], np.linspace(0, 0.9, 9), XY)
    ground(view, 0, 0)
    as_view(view)
    lines(plot, r.t, [(r["hinge.angle"], "")], "angle [rad]")
    plot.yaxis.label.set_color(BLUE)
    second_axis(plot, r.t, r["hinge.force"], "reaction [N]")
    return fig


def double_pendulum(r):
    fig, view, plot = figure("double-pendulum")
    bar = rectangle(0.25, 0.015, XY)
    tip = np.array([r.points("lower", k, [[0.25, 0, 0]])[0] for k in range(len(r.t))])
    view.plot(tip[:, 0], tip[:, 1], color=ORANGE, lw=0.6, alpha=0.8)
    strobe(view, r, [("upper", bar, BLUE), ("lower", bar, BLUE)], np.linspace(9.7, 10, 4), XY)
    ground(view, 0, 0)
    as_view(view)
    lines(plot, r.t, [(r["hinge.angle"], "hinge"), (r["elbow.angle"], "elbow")], "angle [rad]")
    return fig


def slider_crank(r):
    fig, view, plot = figure("slider-crank", ratio=(1.25, 1))
    parts = [("rod", rectangle(0.065, 0.0075, XY), ORANGE), ("piston", rectangle(0.025, 0.035, XY), BLUE)]
    times = np.linspace(0, 0.0125 * 3, 4) + 0.0042
    draw(view, r, "wheel", r.at(times[-1]), circle(0.06, XY), XY, GREY, fill=0.15)
    strobe(view, r, parts, times, XY)
    ground(view, 0, 0)
    as_view(view)
    view.set_xlim(-0.08, 0.22)
    show = r.t <= 0.1
    lines(plot, 1e3 * r.t[show], [(1e3 * r["cylinder.travel"][show], "")], "piston travel [mm]", "t [ms]")
    plot.yaxis.label.set_color(BLUE)
    second_axis(plot, 1e3 * r.t[show], r["crank.angle.drive"][show], "driving torque [N m]")
    return fig


def four_bar(r):
    fig, view, plot = figure("four-bar")
    parts = [("crank", rectangle(0.125, 0.02, XY), ORANGE), ("coupler", rectangle(0.45, 0.015, XY), BLUE),
             ("rocker", rectangle(0.3, 0.02, XY), GREEN)]
    middle = r.path("coupler")
    view.plot(middle[:, 0], middle[:, 1], color=BLUE, lw=0.8, ls=":")
    strobe(view, r, parts, [3.0, 3.25, 3.5, 3.75, 4.0], XY)
    ground(view, 0, 0)
    ground(view, 1, 0)
    as_view(view)
    lines(plot, r.t, [(r["A.angle.rate"], "")], "crank speed [rad/s]")
    plot.yaxis.label.set_color(BLUE)
    second_axis(plot, r.t, r["C.force"], "reaction in C [N]")
    return fig


def top(r):
    fig, view, plot = figure("top", ratio=(1, 1.4))
    c = np.stack([r["top.center." + a] for a in "xyz"], 1)
    view.plot(1e3 * c[:, 0], 1e3 * c[:, 1], color=BLUE, lw=1.0)
    view.plot(1e3 * c[0, 0], 1e3 * c[0, 1], "o", color=ORANGE, ms=5)
    view.plot(0, 0, "+", color=INK)
    as_view(view, "x [mm]", "y [mm]")
    view.set_title("centre of mass from above", loc="left")
    lines(plot, r.t, [(1e3 * c[:, 2], "")], "height of the centre [mm]")
    return fig


def dzhanibekov(r):
    fig, view, plot = figure("dzhanibekov", ratio=(1, 1.7))
    # The body axis x, along which the handle spins, seen in the world.
    axis = np.array([r.points("handle", k, [[1, 0, 0]])[0] - r.path("handle")[k] for k in range(len(r.t))])
    view.plot(r.t, axis[:, 0], color=GREEN)
    view.set_xlabel("t [s]")
    view.set_ylabel("handle's x axis along world x")
    view.margins(x=0)
    lines(plot, r.t, [(r["handle.angular_velocity." + a], a) for a in "xyz"], "angular velocity [rad/s]", ncol=3,
          loc="upper center")
    plot.set_ylim(top=9)
    return fig


def gear_train(r):
    fig, view, plot = figure("gear-train", ratio=(1, 1.3))
    gears = [("pinion", 18, ORANGE, (0, 0, 0)), ("shaft", 54, GREY, (0, 0, 0)), ("shaft", 20, GREEN, (0, 0, 0)),
             ("wheel", 60, BLUE, (0, 0, 0))]
    for body, teeth, color, at in gears:
        radius = 0.002 * teeth / 2
        s = np.linspace(0, 2 * np.pi, 8 * teeth + 1)
        wave = radius + 0.0011 * np.sign(np.sin(teeth * s))
        outline = np.stack([wave * np.cos(s), wave * np.sin(s), 0 * s], 1)
        p = 1e3 * r.points(body, len(r.t) - 1, outline)
        view.fill(p[:, 0], p[:, 1], color=color, alpha=0.2, lw=0)
        view.plot(p[:, 0], p[:, 1], color=color, lw=0.8)
    as_view(view, "x [mm]", "y [mm]")
    rpm = 60 / (2 * np.pi)
    speed = [(rpm * r[n + ".angle.rate"], n) for n in ("in", "middle", "out")]
    lines(plot, r.t, speed, "speed [turns/min]")
    return fig


def cardan_shaft(r):
    fig, view, plot = figure("cardan-shaft", ratio=(1, 1.3))
    for body, color in (("input", BLUE), ("output", ORANGE)):
        ends = r.points(body, 0, [[0, 0, -0.2], [0, 0, 0.2]])
        view.plot(ends[:, 0], ends[:, 1], color=color, lw=7, solid_capstyle="butt")
    disc = r.points("output", 0, [[0, 0, 0.2]])[0]
    across = np.array([-np.sin(np.pi / 6), np.cos(np.pi / 6), 0]) * 0.08
    view.plot(*zip((disc - across)[:2], (disc + across)[:2]), color=ORANGE, lw=7, solid_capstyle="butt")
    view.plot(0, 0, "o", color=INK, ms=7, zorder=5)
    as_view(view)
    show = r.t <= 0.6
    lines(plot, r.t[show], [(r["drive.angle.rate"][show], "in"), (r["bearing.angle.rate"][show], "out")],
          "speed [rad/s]", loc="upper right", ncol=2)
    plot.set_ylim(10.3, 15.4)
    return fig


def screw_jack(r):
    fig, view, plot = figure("screw-jack", ratio=(1, 1.3))
    spindle = rectangle(0.02, 0.3, XZ)
    table = rectangle(0.3, 0.025, XZ)
    draw(view, r, "spindle", 0, spindle, XZ, GREY)
    strobe(view, r, [("table", table, BLUE)], [0, 1, 1.5, 2, 4], XZ)
    as_view(view, "x [m]", "z [m]")
    lines(plot, r.t, [(r["work.motors"], "work of the motor"), (r["energy.potential"] - r["energy.potential"][0],
          "potential energy gained"), (r["lost.damping"], "lost in friction")], "energy [J]",
          loc="upper left")
    plot.set_ylim(top=1150)
    return fig


def planar_table(r):
    fig, view, plot = figure("planar-table", ratio=(1.1, 1))
    view.plot(r["table.x"], r["table.y"], color=BLUE, lw=0.9)
    draw(view, r, "puck", len(r.t) - 1, circle(0.05, XY), XY, ORANGE)
    as_view(view)
    lines(plot, r.t, [(r["table.x"], "x"), (r["table.y"], "y")], "coordinate [m]", ncol=2, loc="upper right")
    plot.set_ylim(-0.37, 0.45)
    return fig


def spring_laws(r):
    fig, view, plot = figure("spring-laws", ratio=(1, 1.6))
    names = ("linear", "table", "expression")
    order = np.argsort(r["spring 2.extension"])
    x = np.linspace(-0.1, 0.1, 3)
    view.plot(1e3 * x, 20 * x, color=BLUE, label="linear")
    view.plot(1e3 * r["spring 2.extension"][order], r["spring 2.force"][order], color=ORANGE, label="table")
    view.set_xlabel("extension [mm]")
    view.set_ylabel("tension [N]")
    view.legend()
    lines(plot, r.t, [(1e3 * r["spring %d.extension" % (k + 1)], names[k]) for k in range(3)], "extension [mm]",
          ncol=3, loc="upper right")
    plot.set_ylim(-125, 165)
    return fig


def bushing_mount(r):
    fig, view, plot = figure("bushing-mount", ratio=(1, 1.8))
    draw(view, r, "block", 0, rectangle(0.3, 0.2, XZ), XZ, BLUE)
    for x in (-0.25, 0.25):
        view.fill([x - 0.04, x + 0.04, x + 0.04, x - 0.04], [0.02, 0.02, 0.1, 0.1], color=GREY, alpha=0.6, lw=0)
    view.axhline(0.02, color=INK, lw=1)
    view.annotate("unbalance", (0, 0.35), (0.06, 0.42), arrowprops={"arrowstyle": "->", "color": ORANGE}, color=ORANGE)
    view.plot(0, 0.35, "o", color=ORANGE, ms=6)
    as_view(view, "x [m]", "z [m]")
    z = r["block.position.z"]
    lines(plot, 5 * r.t, [(1e3 * (z - z[-1]), "z"), (1e3 * r["block.position.x"], "x")], "displacement [mm]",
          "speed of the engine [turns/s]", ncol=2, loc="upper right")
    for line in plot.lines:
        line.set_linewidth(0.6)
    return fig


def motors(r):
    fig, view, plot = figure("motors", ratio=(1, 1))
    lines(view, r.t, [(r["axis 0.angle.rate"], "torque motor"), (r["axis 1.angle.rate"], "speed motor")],
          "speed [rad/s]", loc="center right")
    lines(plot, r.t, [(r["axis 2.angle"], "angle")], "position motor [rad]", loc="upper right")
    target = np.interp(r.t, [0, 1, 2, 4, 5, 6], [0, 0, 1.5, 1.5, -0.5, -0.5])
    plot.plot(r.t, target, color=INK, lw=1, ls="--", label="target")
    plot.legend(loc="lower left")
    return fig


def parachute(r):
    fig, view, plot = figure("parachute", ratio=(1, 1.3))
    load, canopy = r.path("load"), r.path("canopy")
    for t in (0, 0.4, 0.8, 1.4, 2.2, 3.2, 4.2, 5.4, 6.8, 8.2):
        k = r.at(t)
        view.plot([canopy[k, 0], load[k, 0]], [canopy[k, 2], load[k, 2]], color=GREY, lw=0.7)
        s = np.linspace(0, np.pi, 20)
        lean = np.arctan2(load[k, 0] - canopy[k, 0], canopy[k, 2] - load[k, 2])
        cx, cz = 2.2 * np.cos(s), 2.2 * np.sin(s)
        view.fill(canopy[k, 0] + cx * np.cos(lean) - cz * np.sin(lean) * 1.0,
                  canopy[k, 2] + cx * np.sin(lean) + cz * np.cos(lean), color=ORANGE, alpha=0.5, lw=0)
        view.plot(load[k, 0], load[k, 2], "s", color=BLUE, ms=3)
    view.set_ylim(-44, 14)
    view.set_xlim(-16, 42)
    as_view(view, "x [m]", "z [m]", "box")
    lines(plot, r.t, [(r["load.velocity.x"], "horizontal"), (-r["load.velocity.z"], "sinking")], "speed of the load [m/s]")
    plot.axhline(np.sqrt(96 * 9.81 / (0.5 * 1.2 * 28 * 1.4 + 0.4)), color=INK, lw=0.9, ls="--")
    plot.text(24.6, 6.9, "drag = weight", ha="right", va="bottom", fontsize=8.5)
    return fig


def orbit(r):
    fig, view, plot = figure("orbit", ratio=(1.3, 1))
    p = r.path("satellite") / 1e6
    view.fill(6.371 * np.cos(np.linspace(0, 6.3, 60)), 6.371 * np.sin(np.linspace(0, 6.3, 60)), color=BLUE, alpha=0.5)
    view.plot(p[:, 0], p[:, 1], color=GREY, lw=0.9)
    view.plot(p[::20, 0], p[::20, 1], "o", color=ORANGE, ms=3.5)
    as_view(view, "x [1000 km]", "y [1000 km]")
    speed = np.hypot(r["satellite.velocity.x"], r["satellite.velocity.y"])
    lines(plot, r.t / 3600, [(1e-3 * speed, "")], "speed [km/s]", "t [h]")
    plot.set_ylim(bottom=0)
    return fig


def chain(r):
    fig, view, plot = figure("chain", ratio=(1.2, 1))
    for k, t in enumerate((0, 0.2, 0.35, 0.5, 0.62, 0.72)):
        frame = r.at(t)
        x = [0.0]
        z = [0.0]
        for i in range(30):
            end = r.points("link[%d]" % i, frame, [[0.025, 0, 0]])[0]
            x.append(end[0])
            z.append(end[2])
        view.plot(x, z, "o-", color=plt.cm.viridis(k / 6), ms=2.2, lw=1.1, label="%.2f s" % t)
    ground(view, 0, 0)
    as_view(view, "x [m]", "z [m]")
    view.legend(fontsize=7.5, handlelength=1.2, loc="upper left")
    lines(plot, r.t, [(r["hook.force"], "")], "force on the hook [N]")
    return fig


def carousel(r):
    fig, view, plot = figure("carousel", ratio=(1, 1.2))
    for t, alpha in ((0, 0.25), (3, 0.45), (14, 1.0)):
        k = r.at(t)
        hinge = r["hinge[0].angle"][k]
        for side in (-1, 1):
            x, z = side * (3 + 2 * np.sin(hinge)), -2 * np.cos(hinge)
            view.plot([side * 3, x], [0, z], color=BLUE, alpha=alpha, lw=1.5)
            view.plot(x, z, "s", color=BLUE, alpha=alpha, ms=9, mew=0)
    view.plot([-3, 3], [0, 0], color=INK, lw=4)
    view.plot([0, 0], [0, -2.6], color=INK, lw=2)
    view.set_ylim(-2.8, 1.0)
    as_view(view, "x [m]", "z [m]", "box")
    lines(plot, r.t, [(np.degrees(r["hinge[0].angle"]), "")], "swing-out [deg]")
    plot.yaxis.label.set_color(BLUE)
    second_axis(plot, r.t, 1e-3 * r["axle.angle.drive"], "driving torque [kN m]")
    return fig


def robot(r):
    fig, view, plot = figure("robot", ratio=(1.25, 1))
    parts = [("torso", rectangle(0.3, 0.2, XY), GREY), ("left.upper", rectangle(0.25, 0.04, XY), BLUE),
             ("left.fore", rectangle(0.2, 0.03, XY), BLUE), ("right.upper", rectangle(0.25, 0.04, XY), ORANGE),
             ("right.fore", rectangle(0.3, 0.03, XY), ORANGE)]
    strobe(view, r, parts, [0, 1, 2], XY)
    as_view(view)
    q = r.orientation[:, r.bodies["torso"]]
    turn = np.degrees(2 * np.arctan2(q[:, 3], q[:, 0]))
    lines(plot, r.t, [(np.degrees(r["left.shoulder.angle"]), "left shoulder"),
                      (np.degrees(r["right.shoulder.angle"]), "right shoulder"), (turn, "torso")], "angle [deg]",
          ncol=2, loc="upper center")
    plot.set_ylim(top=115)
    return fig


def wedge(r):
    fig, view, plot = figure("wedge")
    outline = np.array([[0, 0, 0], [0.4, 0, 0], [0, 0, 0.15], [0, 0, 0]])
    strobe(view, r, [("wedge", outline, BLUE)], [0, 0.15, 0.25, 0.33, 0.4, 0.47], XZ)
    ground(view, 0.4, 0)
    as_view(view, "x [m]", "z [m]")
    lines(plot, r.t, [(r["edge.angle"], "")], "angle [rad]")
    return fig


def stops(r):
    fig, view, plot = figure("stops")
    flap = rectangle(0.3, 0.01, XY)
    strobe(view, r, [("flap", flap, BLUE)], [0.06, 0.16, 0.28, 0.4], XY)
    for angle in (-0.7, 0.2):
        view.plot([0, 0.66 * np.cos(angle)], [0, 0.66 * np.sin(angle)], color=RED, lw=1, ls="--")
    ground(view, 0, 0)
    as_view(view)
    lines(plot, r.t, [(r["hinge.angle"], "")], "angle [rad]")
    for angle in (-0.7, 0.2):
        plot.axhline(angle, color=RED, lw=1, ls="--")
    plot.text(5.95, 0.17, "stops", color=RED, ha="right", va="top")
    return fig


def kapitza(r):
    fig, view, plot = figure("kapitza", ratio=(1, 1.5))
    rod = rectangle(0.0075, 0.15, XY)
    strobe(view, r, [("rod", rod, BLUE)], [0, 0.08, 0.16, 0.24, 0.3], XY)
    draw(view, r, "pivot", 0, rectangle(0.025, 0.025, XY), XY, GREY)
    view.annotate("", (0.07, 0.04), (0.07, -0.04), arrowprops={"arrowstyle": "<->", "color": ORANGE, "lw": 1.5})
    as_view(view)
    lines(plot, r.t, [(np.degrees(r["hinge.angle"]), "")], "angle from upright [deg]")
    plot.lines[0].set_linewidth(0.8)
    return fig


def demo(r):
    """The picture of the README: the lift at five times, its ledger, and what the numerics alone did."""
    fig = plt.figure(figsize=(9.6, 4.5))
    grid = fig.add_gridspec(2, 2, width_ratios=(1.15, 1), height_ratios=(2.6, 1), hspace=0.16, wspace=0.17, left=0.012,
                            right=0.985, top=0.915, bottom=0.105)
    view = fig.add_subplot(grid[:, 0])
    bar = rectangle(0.6, 0.025, XY)
    platform = rectangle(0.66, 0.02, XY, at=(0.6, 0.05, 0))
    for k, t in enumerate((0.0, 1.2, 2.0, 4.0, 7.0)):
        frame = r.at(t)
        shift = (1.66 * k, 0)
        for i in range(5):
            draw(view, r, "left[%d]" % i, frame, bar, XY, BLUE, shift=shift, fill=0.5)
            draw(view, r, "right[%d]" % i, frame, bar, XY, ORANGE, shift=shift, fill=0.5, zorder=4)
        draw(view, r, "platform", frame, platform, XY, INK, shift=shift, fill=0.6)
        view.text(shift[0] + 0.6, -0.2, "%.1f s" % t, ha="center", va="top")
        if t == 7.0:
            y = r.path("platform")[frame, 1] + 0.08
            view.annotate("", (shift[0] + 0.6, y), (shift[0] + 0.6, y + 0.62),
                          arrowprops={"arrowstyle": "-|>", "color": RED, "lw": 2})
            view.text(shift[0] + 0.45, y + 0.4, "1000 N", color=RED, va="center", ha="right")
    view.plot([-0.2, 8.05], [-0.06, -0.06], color="#4a4f57", lw=1.2)
    view.set_aspect("equal")
    view.set_xlim(-0.25, 8.1)
    view.set_ylim(-0.6, 5.75)
    view.axis("off")
    fig.suptitle("carom run examples/scenes/demo.json", x=0.02, ha="left", fontsize=10.5, fontweight="bold")

    books = fig.add_subplot(grid[0, 1])
    curves = [(r["energy.potential"] - r["energy.potential"][0], "potential energy gained"),
              (r["energy.elastic"], "energy in the spring"), (r["work.motors"], "work of the motor"),
              (r["energy.kinetic"], "kinetic energy"), (r["lost.damping"], "lost in damping")]
    lines(books, r.t, curves, "energy [J]", xlabel="", loc="center right", bbox_to_anchor=(1.0, 0.56))
    books.tick_params(labelbottom=False)
    rest = fig.add_subplot(grid[1, 1], sharex=books)
    lines(rest, r.t, [(1e3 * r["energy.residue"], "")], "residue [mJ]")
    rest.lines[0].set_color(RED)
    rest.lines[0].set_linewidth(1.0)
    fig.align_ylabels([books, rest])
    return fig


# ---- contact --------------------------------------------------------------------------------------------------------

def floor(ax, x0, x1, y=0.0):
    """The edge of a half-space: a line with hatching below."""
    ax.plot([x0, x1], [y, y], color="#4a4f57", lw=1.2, zorder=2)
    depth = 0.03 * (x1 - x0)
    ax.fill_between([x0, x1], y - depth, y, color=GREY, alpha=0.25, lw=0, zorder=1)


def mesh_edges(file, plane):
    """Sharp edges of a mesh (PLY as carom writes it) as segments, seen along the normal of the plane."""
    with open(file, "rb") as f:
        header, data = f.read().split(b"end_header\n", 1)
    counts = {w.split()[1]: int(w.split()[2]) for w in header.decode().splitlines() if w.startswith("element")}
    vertex = np.dtype([("p", "<f8" if b"double x" in header else "<f4", 3)])
    points = np.frombuffer(data, vertex, counts["vertex"])["p"].astype(float)
    face = np.dtype([("n", "u1"), ("v", "<i4", 3)])
    faces = np.frombuffer(data, face, counts["face"], vertex.itemsize * counts["vertex"])["v"]
    normals = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    sides = {}
    for i, f in enumerate(faces):
        for a, b in ((f[0], f[1]), (f[1], f[2]), (f[2], f[0])):
            sides.setdefault((min(a, b), max(a, b)), []).append(i)
    axis = 3 - sum(plane)
    keep = [e for e, f in sides.items() if len(f) == 2 and normals[f[0]] @ normals[f[1]] < 0.8 and
            points[e[0], axis] > 0 and abs(points[e[0], axis] - points[e[1], axis]) < 1e-9]
    return points[np.array(keep)]


def scene_file(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "scenes", name)


def bouncing_balls(r):
    fig, view, plot = figure("bouncing-balls", ratio=(1, 1.5))
    names = ("0.9", "0.7", "0.5", "0.2")
    floor(view, -0.15, 1.05)
    for name, color in zip(names, (BLUE, ORANGE, GREEN, RED)):
        body = "ball " + name
        for k, t in enumerate(np.arange(0.0, 0.86, 0.045)):
            draw(view, r, body, r.at(t), circle(0.05, XZ), XZ, color, alpha=0.25 + 0.75 * k / 19, fill=0.15)
        view.text(r.path(body)[0, 0], 1.15, name, ha="center", color=color, fontsize=8.5)
    view.set_ylim(-0.08, 1.25)
    as_view(view, "x [m]", "z [m]")
    lines(plot, r.t, [(r["ball %s.position.z" % n] - 0.05, "") for n in names], "height [m]")
    for n, color in zip(names[:3], (BLUE, ORANGE, GREEN)):
        e, t = float(n), np.sqrt(2 / 9.81)
        for k in range(1, 5):
            rise = np.sqrt(2 * e ** (2 * k) / 9.81)
            if t + rise < 3:
                plot.plot(t + rise, e ** (2 * k), "o", color=color, mfc="white", ms=4.5, zorder=5)
            t += 2 * rise
    plot.text(2.95, 0.98, "circles: $e^{2k}h$", ha="right", va="top", fontsize=8.5)
    return fig


def newtons_cradle(r):
    fig, view, plot = figure("newtons-cradle")
    for t, alpha in ((0.0, 0.3), (r.t[np.argmax(r["hinge[4].angle"])], 1.0)):
        for k in range(5):
            x, z = r.path("ball[%d]" % k)[r.at(t), [0, 2]]
            view.plot([k * 0.04005, x], [0, z], color=GREY, alpha=alpha, lw=0.8)
            draw(view, r, "ball[%d]" % k, r.at(t), circle(0.02, XZ), XZ, BLUE if k else ORANGE, alpha=alpha)
    view.plot([-0.05, 0.21], [0, 0], color=INK, lw=3)
    as_view(view, "x [m]", "z [m]")
    start = np.degrees(np.pi / 6)
    curves = [(np.degrees(r["hinge[0].angle"]) - start, "first ball"),
              (np.degrees(r["hinge[2].angle"]), "middle"), (np.degrees(r["hinge[4].angle"]), "last ball")]
    lines(plot, r.t, curves, "angle [deg]", ncol=3, loc="upper center")
    plot.set_ylim(-34, 44)
    return fig


def carom(r):
    fig, view, plot = figure("carom", width=8.2, ratio=(1.8, 1))
    view.add_patch(plt.Rectangle((-1.42, -0.71), 2.84, 1.42, fc="#dcebdf", ec="#5a4632", lw=5, zorder=1))
    for body, color in (("cue", INK), ("red", RED), ("yellow", "#d9a400")):
        p = r.path(body)
        view.plot(p[:, 0], p[:, 1], color=color, lw=1.0, zorder=2)
        for k in (0, len(r.t) - 1):
            face = {"cue": "white"}.get(body, color)
            view.add_patch(plt.Circle(p[k, :2], 0.03075, fc=face, ec=INK, lw=0.8, alpha=0.35 if k else 1.0, zorder=4))
    view.set_xlim(-1.5, 1.5)
    view.set_ylim(-0.8, 0.8)
    as_view(view, adjustable="box")
    view.grid(False)
    v = np.hypot(r["cue.velocity.x"], r["cue.velocity.y"])
    lines(plot, r.t, [(v, "")], "speed of the cue ball [m/s]")
    plot.set_ylim(bottom=0)
    return fig


def slope(r):
    fig, view, plot = figure("slope")
    view.fill_between([-0.3, 2.6], [0.15, -1.3], -1.4, color=GREY, alpha=0.25, lw=0, zorder=1)
    view.plot([-0.3, 2.6], [0.15, -1.3], color="#4a4f57", lw=1.2)
    box = rectangle(0.1, 0.05, XZ)
    strobe(view, r, [("slides", box, BLUE)], [0, 0.5, 1, 1.4], XZ)
    draw(view, r, "holds", r.at(1.4), box, XZ, GREEN)
    view.set_xlim(-0.3, 2)
    view.set_ylim(-1.05, 0.4)
    as_view(view, "x [m]", "z [m]", "box")
    x = [r[n + ".position.x"] for n in ("holds", "creeps", "slides")]
    along = [1e3 * (v - v[0]) * np.sqrt(1.25) for v in x]
    for values, label, color in zip(along, ("LuGre holds", "smooth creeps", "slides"), (GREEN, ORANGE, BLUE)):
        plot.plot(r.t, values, color=color, label=label)
    plot.plot(r.t, 1e3 * 0.5 * 9.81 * (1 - 0.3 * 2) / np.sqrt(5) * r.t ** 2, color=INK, ls=":", lw=1.2,
              label="g (sin - mu cos) t²/2")
    plot.set_ylim(0, 60)
    plot.set_xlabel("t [s]")
    plot.set_ylabel("way down the slope [mm]")
    plot.margins(x=0)
    plot.legend(loc="upper right")
    return fig


def stack(r):
    fig, view, plot = figure("stack", ratio=(1, 1.6))
    floor(view, -0.3, 0.3)
    colors = (BLUE, ORANGE, GREEN, RED, VIOLET)
    for i, color in enumerate(colors):
        draw(view, r, "box[%d]" % i, len(r.t) - 1, rectangle(0.1 - 0.01 * i, 0.1, XZ), XZ, color)
    as_view(view, "x [m]", "z [m]")
    force = -r["floor.contact.force.z"]
    lines(plot, r.t, [(force, "")], "force on the floor [N]")
    plot.axhline(155.39, color=INK, lw=0.9, ls="--")
    plot.text(1.48, 165, "weight of all boxes", ha="right", va="bottom", fontsize=8.5)
    plot.set_ylim(0, np.percentile(force, 99.5) * 1.1)
    return fig


def dominoes(r):
    fig, view, plot = figure("dominoes", width=8.2, ratio=(1.3, 1))
    for row, t in enumerate((0.0, 0.15, 0.3, 0.7)):
        shift = (0.0, -0.075 * row)
        floor(view, -0.02, 0.28, shift[1])
        for i in range(9):
            draw(view, r, "domino[%d]" % i, r.at(t), rectangle(0.004, 0.025, XZ), XZ, plt.cm.viridis(i / 9),
                 shift=shift, fill=0.5)
        view.text(-0.03, shift[1] + 0.02, "%.2f s" % t, ha="right", fontsize=8.5)
    view.set_aspect("equal")
    view.set_xlim(-0.085, 0.28)
    view.axis("off")
    lines(plot, r.t, [(r["domino[%d].angular_velocity.y" % i], "domino %d" % (i + 1)) for i in (0, 4, 8)],
          "angular velocity [rad/s]")
    return fig


def pendulum_wall(r):
    fig, view, plot = figure("pendulum-wall", ratio=(1, 1.4))
    view.fill([0.06, 0.16, 0.16, 0.06], [-1.05, -1.05, -0.55, -0.55], color=GREY, alpha=0.5, lw=0)
    p = r.path("ball")
    for k, t in enumerate(np.linspace(0, 0.5, 7)):
        x, z = p[r.at(t), [0, 2]]
        view.plot([0, x], [0, z], color=GREY, lw=0.8, alpha=0.3 + 0.1 * k)
        draw(view, r, "ball", r.at(t), circle(0.06, XZ), XZ, BLUE, alpha=0.3 + 0.1 * k)
    ground(view, 0, 0)
    as_view(view, "x [m]", "z [m]")
    angle = np.degrees(np.arctan2(p[:, 0], -p[:, 2]))
    lines(plot, r.t, [(angle, "")], "angle [deg]")
    for k in range(1, 7):
        plot.axhline(-np.degrees(np.arccos(1 - 0.64 ** k * (1 - np.cos(1.2)))), color=RED, lw=0.8, ls=":")
    plot.text(5.95, -64, "dotted: each rebound with e = 0.8", color=RED, ha="right", fontsize=8.5)
    return fig


def rolling_ball(r):
    fig, view, plot = figure("rolling-ball")
    lines(view, r.t, [(r["plain.velocity.x"], "speed"), (0.05 * r["plain.angular_velocity.y"], "spin × radius")],
          "without spin [m/s]", loc="lower right")
    view.axhline(10 / 7, color=INK, lw=0.9, ls=":")
    view.text(2.45, 10 / 7 + 0.03, "5 v / 7", ha="right", va="bottom", fontsize=8.5)
    view.axvline(2 * 2 / (7 * 0.2 * 9.81), color=INK, lw=0.9, ls=":")
    lines(plot, r.t, [(r["backspin.velocity.x"], "speed"), (0.05 * r["backspin.angular_velocity.y"], "spin × radius")],
          "with backspin [m/s]", loc="lower right")
    plot.axhline(-6 / 7, color=INK, lw=0.9, ls=":")
    return fig


def geneva(r):
    fig, view, plot = figure("geneva")
    rail = rectangle(0.025, 0.004, XY)
    for k in (1, 3, 5, 7):
        for side in (-1, 1):
            turn, across = k * np.pi / 4, side * 0.0091
            c, s = np.cos(turn), np.sin(turn)
            local = rail + [0.1 * np.sin(np.pi / 4) - 0.025, across, 0]
            outline = np.stack([c * local[:, 0] - s * local[:, 1], s * local[:, 0] + c * local[:, 1], local[:, 2]], 1)
            draw(view, r, "wheel", r.at(0.45), outline, XY, BLUE)
    draw(view, r, "wheel", r.at(0.45), circle(0.02, XY), XY, BLUE)
    pin = 0.1 * np.sin(np.pi / 4)
    draw(view, r, "crank", r.at(0.45), rectangle(pin / 2, 0.005, XY, at=(pin / 2, 0, 0)), XY, GREY)
    draw(view, r, "crank", r.at(0.45), circle(0.005, XY, at=(pin, 0, 0)), XY, ORANGE, fill=0.8, zorder=5)
    ground(view, 0, 0)
    ground(view, 0.1, 0)
    as_view(view)
    lines(plot, r.t, [(-np.degrees(r["output.angle"]), "")], "angle of the wheel [deg]")
    plot.set_yticks([0, 90, 180, 270])
    plot.yaxis.label.set_color(BLUE)
    second_axis(plot, r.t, -r["output.angle.rate"], "speed [rad/s]")
    return fig


def gear_teeth(r):
    fig, view, plot = figure("gear-teeth", ratio=(1.2, 1))
    frame = r.at(0.73)
    for body, file, color in (("pinion", "pinion.ply", ORANGE), ("wheel", "gear.ply", BLUE)):
        for a, b in mesh_edges(scene_file("meshes/" + file), XY):
            p = 1e3 * r.points(body, frame, [a, b])
            view.plot(p[:, 0], p[:, 1], color=color, lw=1.0)
    as_view(view, "x [mm]", "y [mm]")
    lines(plot, r.t, [(r["drive.angle.rate"], "pinion"), (-r["output.angle.rate"], "wheel")], "speed [rad/s]",
          loc="lower right")
    plot.plot(r.t, r["drive.angle.rate"] / 2, color=INK, lw=0.9, ls=":")
    return fig


def chain_links(r):
    fig, view, plot = figure("chain-links")
    s = np.linspace(0, np.pi, 13)
    arc = np.stack([8 + 12 * np.sin(s), 12 * np.cos(s), 0 * s], 1)
    wire = 1e-3 * np.concatenate([arc, arc * [-1, -1, 1], arc[:1]])
    for k, t in enumerate((0.0, 0.08, 0.12, 0.16)):
        for i, body in enumerate(["hook"] + ["link[%d]" % i for i in range(5)]):
            p = 1e3 * r.points(body, r.at(t), wire)
            view.plot(p[:, 0], p[:, 2], color=plt.cm.viridis(k / 4.5), lw=3.2, alpha=0.8, solid_capstyle="round",
                      label="%.2f s" % t if i == 0 else None)
    as_view(view, "x [mm]", "z [mm]")
    view.legend(loc="lower left", handlelength=1)
    lines(plot, r.t, [(r["hook.contact.force"], "")], "force on the hook [N]")
    plot.lines[0].set_linewidth(0.9)
    return fig


def docking(r):
    """A latch and its catch, cut along the docking axis and seen from the active ring, at four times."""
    fig, views = plt.subplots(2, 4, figsize=(7.4, 4.2), gridspec_kw={"height_ratios": (1.15, 1)})
    fig.suptitle("docking", x=0.012, ha="left", fontsize=10.5, fontweight="bold")
    catch = np.array([(-105, 470), (-105, 490), (42, 490), (42, 470), (-70, 470), (-70, 440), (-75, 440), (-105, 470)])
    latch = np.array([(-35, -25), (-35, 35), (-5, 35), (48, -18), (48, -25), (-35, -25)])
    rings = [("active ring", [(-21, 522), (21, 522), (21, 564), (-21, 564), (-21, 522)], BLUE),
             ("passive craft", [(0, 512), (42, 512), (42, 574), (0, 574), (0, 512)], ORANGE)]
    parts = [("passive craft", catch, ORANGE), ("latch[0]", latch, RED)] + rings
    for view, t in zip(views[0], (0.3, 1.2, 2.2, 3.0)):
        origin = r.path("active ring")[r.at(t)]
        for body, outline, color in parts:
            local = np.zeros((len(outline), 3))
            local[:, :2] = 1e-3 * np.asarray(outline, float)
            p = 1e3 * (r.points(body, r.at(t), local) - origin)
            view.fill(p[:, 0], p[:, 1], color=color, alpha=0.3, lw=0)
            view.plot(p[:, 0], p[:, 1], color=color)
        view.set_title("t = %.1f s" % t, fontsize=8)
        view.set_xlim(-110, 110)
        view.set_ylim(360, 580)
        view.set_aspect("equal")
        view.set_xlabel("x [mm]")
    views[0][0].set_ylabel("y [mm]")
    for ax in views[1]:
        ax.remove()
    grid = views[1][0].get_gridspec()
    left, right = fig.add_subplot(grid[1, :2]), fig.add_subplot(grid[1, 2:])
    distance = r.path("passive craft")[:, 0] - r.path("active ring")[:, 0] - 0.021
    lines(left, r.t, [(1e3 * distance, "")], "distance of the rings [mm]")
    lines(right, r.t, [(1e3 * r["active craft.velocity.x"], "active craft"),
                       (1e3 * r["passive craft.velocity.x"], "passive craft")], "velocity [mm/s]", loc="upper right")
    right.axhline(-20.79, color=INK, lw=0.8, ls=":")
    return fig


PICTURES = {
    "demo": demo, "pendulum": pendulum, "double-pendulum": double_pendulum, "slider-crank": slider_crank,
    "four-bar": four_bar, "top": top, "dzhanibekov": dzhanibekov, "gear-train": gear_train,
    "cardan-shaft": cardan_shaft, "screw-jack": screw_jack, "planar-table": planar_table, "spring-laws": spring_laws,
    "bushing-mount": bushing_mount, "motors": motors, "parachute": parachute, "orbit": orbit, "chain": chain,
    "carousel": carousel, "robot": robot, "wedge": wedge, "stops": stops, "kapitza": kapitza,
    "carom": carom, "bouncing-balls": bouncing_balls, "newtons-cradle": newtons_cradle, "pendulum-wall": pendulum_wall,
    "rolling-ball": rolling_ball, "slope": slope, "stack": stack, "dominoes": dominoes, "geneva": geneva,
    "gear-teeth": gear_teeth, "chain-links": chain_links, "docking": docking,
}


def main():
    if sys.argv[1:] == ["--names"]:
        print("\n".join(PICTURES))
        return 0
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    results, pictures, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    for name in names:
        fig = PICTURES[name](Result(os.path.join(results, name)))
        if name != "demo":
            fig.tight_layout(rect=(0, 0, 1, 1), w_pad=2.0)
        fig.savefig(os.path.join(pictures, name + ".png"), dpi=DPI, metadata={"Software": None})
        plt.close(fig)
    return 0


if __name__ == "__main__":
    sys.exit(main())
