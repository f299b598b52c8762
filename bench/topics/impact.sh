# Impacts per second under the method "impact": its solver alone, whole runs, and how both grow.

# Lines of bench_impact_scene as a table.
impact_table() {
    awk '
        BEGIN {
            printf "%-26s %8s %8s %8s %9s %9s %10s %10s %8s | %5s %6s %6s %6s %6s %6s\n", "", "t [s]", "impacts", "steps", "cpu [s]", \
                "impacts/s", "us/impact", "us/event", "us/step", "int", "repeat", "search", "settle", "drift", "record"
        }
        {
            printf "%-26s %8g %8d %8d %9.3f %9s %10s %10s %8.1f | %4.0f%% %5.0f%% %5.0f%% %5.0f%% %5.0f%% %5.0f%%\n", $1, $2, $3, $5, $6, \
                ($3 > 0 ? $7 : "-"), ($3 > 0 ? $8 : "-"), ($4 > 0 ? $9 : "-"), $10, $11, $12, $13, $14, $15, $16
            fflush()
        }'
}

# The quickest of three runs: what disturbs only ever adds. Long ones are run once.
impact_scene() {
    local line
    for run in 1 2 3; do
        line=$("$out/bench_impact_scene" "$@" "time.end=$3") # as carom run --duration has it
        echo "$line"
        awk '{ exit !($6 > 1) }' <<< "$line" && break
    done | sort -k6,6g | head -n 1
}

impact_solver() {
    timeout 300 "$out/bench_impact_solver" "$@" | awk '
        BEGIN { printf "%-34s %12s %12s %12s %12s\n", "", "median [us]", "mean", "slowest", "impacts/s" }
        { printf "%-34s %12.2f %12.2f %12.1f %12.0f%s\n", $1, $2, $3, $4, $5, ($6 > 0 ? "   " $6 " of " $7 " without an answer" : ""); fflush() }'
}

bench_impact() {
    local scenes=$root/bench/scenes examples=$root/examples/scenes
    build bench_impact_solver bench_impact_scene
    CAROM_BENCH_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/carom-impact.XXXXXX")
    export CAROM_BENCH_FOLDER
    echo "The solver of impacts alone, random impacts (in space unless it says otherwise)"
    impact_solver
    echo "Whole runs, with results written; event: its repeated step and its treatment; step: one of the integrator"
    {
        impact_scene bouncing-ball "$examples/bouncing-ball.json" 5
        impact_scene two-rods-20s "$examples/two-rods.json" 20
        impact_scene two-rods-1000s "$examples/two-rods.json" 1000 record.every=0.1
        impact_scene tumbling-box "$examples/tumbling-box.json" 2.5
        impact_scene slider-crank-clearance "$examples/slider-crank-clearance.json" 0.12
        impact_scene ten-links "$scenes/impact-chain.json" 16
        impact_scene ten-links-untouched "$scenes/impact-chain.json" 16 contact.method=none
        impact_scene ten-links-friction "$scenes/impact-chain.json" 20 variables.mu=0.05
        for n in 5 10 20 40; do
            impact_scene "row-of-$n-balls" "$scenes/impact-row.json" 2 variables.balls=$n
        done
        for n in 1 10 40; do
            impact_scene "boxes-at-rest-$n" "$scenes/impact-boxes.json" 1 variables.boxes=$n
        done
        for rule in sharing together sequential; do
            impact_scene "four-corners,$rule" "$scenes/impact-boxes.json" 2 variables.height=0.2 variables.push=0.5 \
                contact.several="\"$rule\""
        done
    } | impact_table
    rm -rf "$CAROM_BENCH_FOLDER"
}
