# The method "barrier": what a step costs, where its time goes, how it grows, threads, and the reference code of the paper.
#
# CAROM_RIGID_IPC names a folder with the public scenes of ipc-sim/rigid-ipc, which are read as they are; without it that part is
# left out. CAROM_BENCH_PARTS: some of "scenes reference growth threads" (all).

# Lines "label key value ..." of bench_barrier as a table.
barrier_table() {
    awk '
        BEGIN {
            printf "%-26s %6s %6s %9s %9s %9s %8s %7s %5s %5s | %5s %5s %5s %5s %5s | %8s %8s %6s %9s %5s\n", "", "bodies", "steps", \
                "ms/step", "median", "slowest", "max/mean", "Newton", "med.", "most", "lists", "dist.", "asm.", "solve", "sweep", \
                "nodes", "queries", "eval/q", "least gap", "fell"
        }
        NF < 3 { print $1 "   no run"; next }
        {
            delete v
            for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
            printf "%-26s %6d %6d %9.4g %9.4g %9.4g %8.1f %7.2f %5d %5d | %4.0f%% %4.0f%% %4.0f%% %4.0f%% %4.0f%% | %8.0f %8.0f %6s %9s %5d%s\n", \
                $1, v["bodies"], v["steps"], v["ms"], v["ms_median"], v["ms_max"], (v["ms"] > 0 ? v["ms_max"] / v["ms"] : 0), \
                v["newton"], v["newton_median"], v["newton_max"], v["lists"], v["distances"], v["assembly"], v["solve"], v["sweeps"], \
                v["nodes"], v["queries"], (v["queries"] > 0 ? sprintf("%.2f", v["evaluations"] / v["queries"]) : "-"), v["gap"], \
                v["fallbacks"], (v["status"] == "ok" ? "" : "   " v["status"] " at t = " v["t"])
            fflush()
        }'
}

# Label, then what bench_barrier takes. What stops a run is said, and the run counts as far as it came.
barrier_line() {
    local label=$1
    shift
    echo "$label $(timeout 900 "$out/bench_barrier" "$@" | tail -n 1 || true)"
}

# Label, steps, then what barrier_scenes.py is told.
barrier_scene() {
    local label=$1 steps=$2
    shift 2
    python3 "$root/bench/peers/barrier_scenes.py" "$out/barrier" "$label" "$@"
    barrier_line "$label" "$out/barrier/$label.json" --steps "$steps" ${barrier_phases:-}
}

barrier_scenes() {
    local barrier_phases=--phases
    echo "Own scenes at their default tolerances; phases in percent of the time, nodes and queries of collision detection per step"
    {
        barrier_scene slope-0.49 500 scene=slope mu=0.49
        barrier_scene slope-0.5 500 scene=slope mu=0.5
        barrier_scene turntable-0.5 500 scene=turntable
        barrier_scene stack-5 200 scene=stack
        barrier_scene cards 200 scene=cards
        barrier_scene arch-25 200 scene=arch
        barrier_scene rings-3 200 scene=chain rings=3
        barrier_scene rings-10 200 scene=chain rings=10
        barrier_scene net-4x4 100 scene=net
        barrier_line bolt "$root/bench/scenes/barrier-bolt.json" --steps 200 --phases
        barrier_scene wedges 200
        barrier_scene wall-100 30 scene=wall
        barrier_scene spheres-1000 30 scene=spheres
    } | barrier_table
}

# Scene, steps, milliseconds and Newton iterations per step of the reference: C++, one thread, at the scene's own and mostly far
# looser tolerance; means of 10 to 1000 steps on a machine of the class that this table was first taken on.
barrier_reference_figures() {
    cat << 'END'
unit-tests/5-cubes 800 4.2 1.06
unit-tests/edge-edge 300 2.8 1.26
unit-tests/edge-edge-parallel 300 4.4 1.41
unit-tests/face-vertex 300 1 1.05
unit-tests/vertex-face 300 0.6 0.05
unit-tests/vertex-vertex 300 12.4 1.21
unit-tests/large-mass-ratio 300 2.9 0.06
unit-tests/tet-corner 300 1.3 1.02
unit-tests/tunneling 300 22 1.66
unit-tests/erleben/cliff-edges 300 1.2 1
unit-tests/erleben/internal-edges 300 1.2 1
unit-tests/erleben/spikes 300 6.4 1.67
unit-tests/erleben/wedges 300 64 1.26
unit-tests/erleben/spike-in-hole 300 36.5 2.42
friction/arch/arch-25-stones 300 187 2.5
friction/card-house/card-tent 300 1.6 1
friction/card-house/card-house-2-levels 300 10.2 1.4
friction/turntable/turntable-mu=0.5 800 10.1 5.9
chain/3-links 300 201 2.4
chain/10-links 300 34.4 1.4
chain/chain-net/chain-net-4x4 100 1930 6.3
codimensional/edges/3-link-chain 300 13.1 1.4
codimensional/edges/chain-net-4x4 300 208 5.1
codimensional/points/tet-pc-plane 300 22.7 1.05
mechanisms/gears/single 300 980 3.7
pendulum/pendulum 100 2270 5.3
mechanisms/bolt 40 6500 4.4
mechanisms/507-movements/092-piston 40 18600 9.8
minimum-separation/cube-falling-on-edge 300 809 10.7
compactor/single-cube 300 7 1.09
friction/rolling/cone 300 1088 23.8
mechanisms/gears/single-kinematic 300 69.3 1.06
friction/incline-plane/slopeTest_highSchoolPhysics_mu=0.49 800 4.55 3.02
friction/incline-plane/slopeTest_highSchoolPhysics_mu=0.5 800 4.65 3.02
END
}

# Where the scenes are: in a clone of the repository, or as a folder of scenes.
barrier_reference_folder() {
    for folder in "$CAROM_RIGID_IPC/fixtures/3D" "$CAROM_RIGID_IPC/scenes" "$CAROM_RIGID_IPC"; do
        if [ -e "$folder/unit-tests/5-cubes.json" ]; then
            echo "$folder"
            return
        fi
    done
    echo "CAROM_RIGID_IPC: no unit-tests/5-cubes.json below $CAROM_RIGID_IPC" >&2
    return 1
}

# Lines "scene steps ms newton key value ...": ratios, their median and least.
barrier_reference_table() {
    awk '
        BEGIN {
            printf "%-46s %6s %9s %7s | %9s %9s %9s %8s %7s %5s %5s %8s\n", "", "steps", "ref. ms", "Newton", "ms/step", "median", \
                "slowest", "max/mean", "Newton", "most", "fell", "ratio"
        }
        {
            delete v
            for (i = 5; i < NF; i += 2) v[$i] = $(i + 1)
            ok = v["ms"] > 0
            ratio = ok ? $3 / v["ms"] : 0
            printf "%-46s %6d %9g %7g | ", substr($1, 1, 46), v["steps"], $3, $4
            if (ok) printf "%9.4g %9.4g %9.4g %8.1f %7.2f %5d %5d %8.0f%s\n", v["ms"], v["ms_median"], v["ms_max"], v["ms_max"] / v["ms"], \
                v["newton"], v["newton_max"], v["fallbacks"], ratio, (v["status"] == "ok" ? "" : "   stopped at t = " v["t"])
            else print "no run"
            fflush()
            if (ok) { r[++n] = ratio; name[n] = $1 }
        }
        END {
            if (n == 0) exit
            for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (r[j] < r[i]) {
                t = r[i]; r[i] = r[j]; r[j] = t
                t = name[i]; name[i] = name[j]; name[j] = t
            }
            printf "%d scenes of %d: median %.0f, least %.0f (%s)\n", n, NR, (r[int((n + 1) / 2)] + r[int(n / 2) + 1]) / 2, r[1], name[1]
        }'
}

barrier_reference() {
    local folder
    if [ -z "${CAROM_RIGID_IPC:-}" ]; then
        echo "Beside the reference code: left out, CAROM_RIGID_IPC does not name a folder of its scenes"
        return
    fi
    folder=$(barrier_reference_folder)
    echo "Beside the reference code on its own scenes, converged to 1e-5 m/s with friction lags converged; ratio: its time, as measured on another machine, over ours"
    barrier_reference_figures | while read -r scene steps ms newton; do
        echo "$scene $steps $ms $newton $(timeout 600 "$out/bench_barrier" "$folder/$scene.json" --steps "$steps" contact.tolerance=1e-5 contact.lags=20 \
            2> "$out/barrier-reference.err" | tail -n 1)"
    done | barrier_reference_table
}

# Milliseconds per Newton iteration over the number of bodies, and the exponent of the line through their logarithms.
barrier_growth() {
    echo "Growth: milliseconds per Newton iteration, first steps"
    for kind in chain arch; do
        for n in 25 101 501 951; do
            case $kind in
            chain) barrier_scene "$kind-$n" 20 scene=chain rings=$n upright=1 around=12 across=6 ;;
            arch) barrier_scene "$kind-$n" 4 scene=arch stones=$n ;;
            esac
        done | awk -v kind=$kind '
            {
                delete v
                for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
                if (v["newton"] > 0) {
                    per = v["ms"] / v["newton"]
                    x = log(v["bodies"]); y = log(per); n++
                    sx += x; sy += y; sxx += x * x; sxy += x * y
                    printf "%-12s %6d bodies %10.4g ms per step %8.2f Newton %10.4g ms per iteration%s\n", $1, v["bodies"], v["ms"], \
                        v["newton"], per, (v["status"] == "ok" ? "" : "   " v["status"])
                    fflush()
                }
            }
            END { if (n > 1) printf "%s: time per iteration grows with the number of bodies to the power %.2f\n", kind, \
                    (n * sxy - sx * sy) / (n * sxx - sx * sx) }'
    done
}

# One thread and two by turns, the quickest of three each. "quiet": what two free cores would show at best, processor time of one
# thread over that of the leading one of two.
barrier_threads() {
    echo "Two threads against one: ratio of wall times (of a quiet machine at best), and whether the states are the same bits"
    for label in net-8x8 wall-100; do
        case $label in
        net-8x8) barrier_scene $label 1 scene=net side=8 > /dev/null ;;
        wall-100) barrier_scene $label 1 scene=wall > /dev/null ;;
        esac
        case $label in
        net-8x8) steps=60 ;; # its rings hang in each other from step 30 on
        *) steps=20 ;;
        esac
        for run in 1 2 3; do
            for threads in 1 2; do
                barrier_line "$threads" "$out/barrier/$label.json" --steps $steps --threads $threads
            done
        done | awk -v label=$label '
            NF > 2 {
                for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
                if (!($1 in wall) || v["wall_ms"] < wall[$1]) wall[$1] = v["wall_ms"]
                if (!($1 in lead) || v["lead_ms"] < lead[$1]) lead[$1] = v["lead_ms"]
                hash[v["hash"]] = 1
            }
            END {
                for (h in hash) hashes++
                if (wall[2] > 0) printf "%-12s %9.4g ms, two threads %9.4g ms: ratio %.2f (quiet %.2f), %s\n", label, wall[1], wall[2], wall[1] / wall[2], \
                    lead[1] / lead[2], (hashes == 1 ? "same bits" : "NOT the same bits")
            }'
    done
}

bench_barrier() {
    build bench_barrier
    for part in ${CAROM_BENCH_PARTS:-scenes reference growth threads}; do
        "barrier_$part"
    done
}
