# Finite elements: cost against their number, of matrices and modes, of explicit steps, of whole commands; zones beside all nodes.

# Lines of bench_explicit with the cost per element, and how it grows from the last but one to the last.
explicit_table() {
    awk '
        BEGIN { print "  elements  unknowns  compile [s]  step [us]  per element [ns]  peak [MB]" }
        {
            printf "%10d %9d %12.3f %10.1f %17.1f %10.1f\n", $1, $2, $3, $5, 1e3 * $5 / $1, $6
            from = n; n = $1; before = step; step = $5; made = compile; compile = $3; had = memory; memory = $6
        }
        END {
            size = log(n / from)
            printf "  grows as n^ %20.2f %10.2f %28.2f\n", log(compile / made) / size, log(step / before) / size,
                log(memory / had) / size
        }'
}

# The whole command, once without and once with what it keeps: wall time and its peak of memory.
time_modes() {
    CAROM_CACHE="$1" /usr/bin/time -f "%e %M" "$root/build/bin/carom" modes "$root/bench/scenes/flexible-block.json" block \
        --set variables.n="$2" --set bodies.block.flexible.as=modes 2>&1 > /dev/null | awk -v what="$3" '{ printf "  %-22s %6.2f s %8.0f MB\n", what, $1, $2 / 1024 }'
}

# A model of the strip of the double pendulum: its name, bench_explicit, and processor seconds of the whole command, which records every step.
time_pendulum() {
    local scene=$root/papers/2/double-pendulum.json name=$1 words=() word
    shift
    for word in "$@"; do
        words+=(--set "$word")
    done
    echo "$name $("$out/bench_explicit" "$scene" 0 "$@") $( { /usr/bin/time -f "%U" "$root/build/bin/carom" run "$scene" -q \
        --no-report -o "$out/pendulum" "${words[@]}" > /dev/null; } 2>&1)"
}

# Double pendulum of paper 2, section 5: models alternate, the fastest of five counts.
compare_zone() {
    for run in 1 2 3 4 5; do
        time_pendulum nodes
        for modes in 20 40; do
            time_pendulum zone,$modes bodies.B2.flexible.as=zone bodies.B2.flexible.modes='{"count":'$modes'}' \
                bodies.B2.flexible.zone='{"box":{"low":[0.1774,-1,-1],"high":[1,1,1]}}'
        done
    done | awk '
        !($1 in step) || $6 < step[$1] { step[$1] = $6 }
        !($1 in made) || $4 < made[$1] { made[$1] = $4 }
        !($1 in all) || $8 < all[$1] { all[$1] = $8 }
        { unknowns[$1] = $3; if (!seen[$1]++) order[++count] = $1 }
        END {
            print "  model     unknowns  compile [s]  step [us]  command [s]   nodes over it: unknowns, steps, command"
            for (i = 1; i <= count; ++i) {
                k = order[i]
                printf "  %-9s %8d %12.3f %10.1f %12.2f %24.1f %6.2f %8.2f\n", k, unknowns[k], made[k], step[k], all[k],
                    unknowns["nodes"] / unknowns[k], step["nodes"] / step[k], all["nodes"] / all[k]
            }
        }'
}

bench_flexible() {
    echo "Finite elements, one end held, processor time"
    build bench_flexible bench_explicit carom_cli
    for family in line plane solid; do # a process each: its peak of memory is its own
        "$out/bench_flexible" $family
    done
    echo
    echo "Explicit steps of a bar that strikes a wall"
    for n in 1000 10000 100000; do
        "$out/bench_explicit" "$root/bench/scenes/flexible-bar.json" 0 variables.n=$n
    done | explicit_table
    echo "Explicit steps of a block of tetrahedra that strikes a wall"
    for n in 8 13 22; do
        "$out/bench_explicit" "$root/bench/scenes/flexible-block.json" 0 variables.n=$n variables.steps=40
    done | explicit_table
    echo
    echo "carom modes: 20 modes of 191664 tetrahedra, wall time of the whole command"
    local cache
    cache=$(mktemp -d "$out/cache.XXXXXX")
    time_modes "$cache" 22 "first"
    time_modes "$cache" 22 "from what it has kept"
    rm -r "$cache"
    echo
    echo "Bar on bar, cells of 0.25 mm where they touch (paper 2): whole command"
    /usr/bin/time -f "  %e s" "$root/build/bin/carom" run "$root/papers/2/bars.json" -q --no-report -o "$out/bars"
    echo
    echo "Double pendulum on rough ground (paper 2): nodes in the zone of contact and modes elsewhere, beside all nodes"
    compare_zone
}
