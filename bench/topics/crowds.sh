# Many contacts: fixed steps of the method "impact" beside Bullet and ODE with their defaults, on the same bodies, steps of 1 ms. Who stands, how deep
# bodies get by one measure for all, processor time per step, and how it grows.

# Folder, label, preset or engine: one row. Frames are measured every `every` steps.
crowds_row() {
    local folder=$1 label=$2 engine=$3 settings=$4 every=$5 base=$1/$2 poses=$1/$2-$3-$4.poses line judged
    case $engine in
    carom)
        local scene=$base-$settings.json
        [ "$settings" = accurate ] && scene=$base.json
        line=$(timeout 900 "$out/bench_barrier" "$scene" --poses "$poses" --every "$every" 2> "$poses.err" | tail -n 1)
        ;;
    *)
        [ -x "$out/barrier_$engine" ] || return 0
        line=$(timeout 900 "$out/barrier_$engine" "$base.txt" "$settings" "$poses" "$every" 2> "$poses.err" | tail -n 1)
        ;;
    esac
    judged=$("$out/barrier_measure" "$base.txt" "$poses" 2> /dev/null) || judged="penetration 0 outcome no-result"
    [ -n "$line" ] || judged="penetration 0 outcome no-result"
    echo "$label $engine $settings $(value_of outcome <<< "$judged") $(value_of penetration <<< "$judged")" \
        "$(value_of ms <<< "$line") $(value_of ms_max <<< "$line")"
    rm -f "$poses"
}

# Label, preset, steps between measured frames, then what crowd_scenes.py is told.
crowds_scene() {
    local folder=$out/crowds label=$1 preset=$2 every=$3
    shift 3
    python3 "$root/bench/peers/crowd_scenes.py" "$folder" "$label" "$@"
    crowds_row "$folder" "$label" carom "$preset" "$every"
    crowds_row "$folder" "$label" bullet default "$every"
    crowds_row "$folder" "$label" ode default "$every"
}

# How the time of a pile grows from one number of balls to the next, as a power.
crowds_growth() {
    awk '$1 ~ /^pile/ { n = substr($1, 5); if (last[$2] > 0 && $6 > 0)
        printf "%s: time per step grows with the power %.2f from %d to %d balls\n", $2, log($6 / time[$2]) / log(n / last[$2]), last[$2], n
        last[$2] = n; time[$2] = $6 }' "$1"
}

# Label, preset and step [s], then what crowd_scenes.py is told: what carom's run says of energy.
crowds_energy_row() {
    local folder=$out/crowds label=$1 preset=$2 step=$3 start
    shift 3
    python3 "$root/bench/peers/crowd_scenes.py" "$folder" "$label" "$@"
    start=$(date +%s.%N)
    timeout 900 "$root/build/bin/carom" run "$folder/$label$([ "$preset" = accurate ] || echo "-$preset").json" --set time.step="$step" \
        -q --no-report -o "$folder/$label" > "$folder/$label.out" 2>&1 || true
    python3 - "$folder/$label/summary.json" "$label" "$preset" "$step" "$start" << 'END'
import json, sys, time
s = json.load(open(sys.argv[1]))
e = s["energy"]
moved = e["turned_over"]
print("%-16s %-9s %8s %6d %12.2g %12.3g %12.3g %12.3g %9.3g" % (*sys.argv[2:5], s["steps"], e["worst_balance_error"] / moved, e["initial"],
      e["dissipated"]["impact"], e["dissipated"]["friction"], 1e3 * (time.time() - float(sys.argv[5])) / s["steps"]))
END
}

crowds_energy() {
    echo "Energy: what the ledger is off by over what has turned over, what impacts and friction have taken [J], wall-clock time per step"
    printf "%-16s %-9s %8s %6s %12s %12s %12s %12s %9s\n" scene settings "step [s]" steps "ledger off" initial impacts friction ms/step
    for step in 1e-3 2.5e-4 1e-4; do
        crowds_energy_row elastic666 balanced $step scene=cube e=1
    done
    crowds_energy_row rough666 balanced 1e-3 scene=cube e=1 friction=0.3
    crowds_energy_row inelastic666 balanced 1e-3 scene=cube e=0 friction=0.3
    crowds_energy_row bounce7x7 balanced 1e-3 scene=bounce
    crowds_energy_row bounce7x7 balanced 2.5e-4 scene=bounce
}

# Processor time of one thread and wall-clock time of two on a pile of 1000, and whether both end alike.
crowds_threads() {
    local folder=$out/crowds threads
    python3 "$root/bench/peers/crowd_scenes.py" "$folder" pile1000 scene=pile count=1000
    for threads in 1 2; do
        echo "pile of 1000 balls, $threads threads: $("$out/bench_barrier" "$folder/pile1000-fast.json" --steps 300 --threads $threads |
            grep -o -E '(wall_ms|hash) [^ ]*' | tr '\n' ' ')"
    done
}

bench_crowds() {
    build_barrier_peers
    local rows=$out/crowds.rows
    echo "Fixed steps of impact beside Bullet and ODE, h = 1 ms, processor time per step"
    {
        crowds_scene stack10 accurate 20 scene=stack
        crowds_scene heavy5 accurate 20 scene=stack count=5 heavy=1000 end=10
        crowds_scene pyramid accurate 20
        crowds_scene wall accurate 20
        crowds_scene arch accurate 20 end=${CAROM_BENCH_LONG:-2}
        crowds_scene cards accurate 20 end=${CAROM_BENCH_LONG:-2}
        crowds_scene dominoes balanced 20
        crowds_scene links balanced 20
        crowds_scene balls25 balanced 20 scene=pile count=25
        for count in ${CAROM_BENCH_PILES:-100 300 1000 3000}; do
            crowds_scene pile$count fast 100 scene=pile count=$count
        done
    } | tee "$rows" | barrier_peers_table
    crowds_growth "$rows"
    crowds_energy
    crowds_threads
}
