# The comparison of [Ferguson2021], section 6: method "barrier" beside Bullet and ODE on the same geometry. Who holds, who lets
# things through, how deep bodies are in each other by one measure for all, and what a step costs.

build_barrier_peers() {
    local flags="-O2 -std=c++17 -Wall -Wextra"
    build bench_barrier
    ${CXX:-g++} $flags "$root/bench/peers/barrier_measure.cpp" -o "$out/barrier_measure"
    if have_header btBulletDynamicsCommon.h $(pkg-config --cflags bullet-float64 2> /dev/null); then
        ${CXX:-g++} $flags -w "$root/bench/peers/barrier_bullet.cpp" -o "$out/barrier_bullet" \
            $(pkg-config --cflags --libs bullet-float64)
    fi
    if have_header ode/ode.h; then
        ${CXX:-g++} $flags "$root/bench/peers/barrier_ode.cpp" -o "$out/barrier_ode" $(pkg-config --cflags --libs ode)
    fi
}

# The value that follows a key in a line of "key value" pairs.
value_of() {
    awk -v key="$1" '{ for (i = 1; i < NF; i++) if ($i == key) { print $(i + 1); exit } }'
}

# Folder, label, engine and settings: one row of the table. An engine that crashes is judged by the frames it has left.
barrier_peers_row() {
    local folder=$1 label=$2 engine=$3 settings=$4 every=$5 base=$1/$2 poses=$1/$2-$3-$4.poses line judged
    case $engine in
    carom) line=$(timeout 600 "$out/bench_barrier" "$base.json" --poses "$poses" --every "$every" 2> "$poses.err" | tail -n 1) ;;
    *)
        [ -x "$out/barrier_$engine" ] || return 0
        line=$(timeout 600 "$out/barrier_$engine" "$base.txt" "$settings" "$poses" "$every" 2> "$poses.err" | tail -n 1)
        ;;
    esac
    judged=$("$out/barrier_measure" "$base.txt" "$poses" 2> /dev/null) || judged="penetration 0 outcome no-result"
    case $line in
    *"status failed"*) judged="$judged,-stopped" ;;
    "") judged="$judged,-crashed" ;;
    esac
    echo "$label $engine $settings $(value_of outcome <<< "$judged") $(value_of penetration <<< "$judged")" \
        "$(value_of ms <<< "$line") $(value_of ms_max <<< "$line")"
    rm -f "$poses"
}

# Lines of the rows above; the last column compares with carom on the same scene.
barrier_peers_table() {
    awk '
        BEGIN {
            printf "%-16s %-7s %-8s %-42s %12s %10s %10s %9s\n", "scene", "engine", "settings", "outcome (expected)", "penetration", \
                "ms/step", "slowest", "x carom"
        }
        {
            gsub("-", " ", $4)
            if ($2 == "carom") own = $6
            printf "%-16s %-7s %-8s %-42s %12s %10.3g %10.3g %9s\n", $1, $2, $3, $4, ($5 == "0" ? "none" : $5 " m"), $6, $7, \
                (own > 0 && $6 > 0 ? sprintf("%.3g", $6 / own) : "-")
            fflush()
        }'
}

# Label, steps between frames that are measured, then what barrier_scenes.py is told.
barrier_peers_scene() {
    local folder=$out/barrier-peers label=$1 every=$2
    shift 2
    python3 "$root/bench/peers/barrier_scenes.py" "$folder" "$label" "$@"
    barrier_peers_row "$folder" "$label" carom default "$every"
    for engine in bullet ode; do
        for settings in default tuned; do
            barrier_peers_row "$folder" "$label" "$engine" "$settings" "$every"
        done
    done
    case $label in
    wall | spheres | net) ;; # hours
    *) barrier_peers_row "$folder" "$label" ode direct "$every" ;;
    esac
}

bench_barrier-peers() {
    build_barrier_peers
    echo "Method barrier beside Bullet and ODE: the same bodies, processor time per step of the scene (0.01 s)"
    {
        for mu in 0.49 0.5 0.505 0.51 0.55; do
            barrier_peers_scene "slope-$mu" 1 scene=slope mu=$mu
        done
        barrier_peers_scene turntable-0.1 5 scene=turntable mu=0.1 end=10
        barrier_peers_scene turntable-0.5 5 scene=turntable mu=0.5 end=22
        barrier_peers_scene turntable-1 5 scene=turntable mu=1
        for scene in cards arch chain net spikes wedges cliff internal-edges crack plate stack; do
            barrier_peers_scene $scene 1
        done
        barrier_peers_scene wall 2
        barrier_peers_scene spheres 5
    } | barrier_peers_table
}
