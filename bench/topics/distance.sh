# Exact signed distances beside CGAL's AABB tree and embree's point queries.

# Lines "engine n build query nodes": medians over the rounds, and how much longer than carom. The grid's time is that of
# its sampled slices, scaled; whole = tree and normals and grid.
distance_table() {
    sort -k1,1 -k2,2n | awk '
        function median(list, count, i, j, x) {
            for (i = 2; i <= count; i++) {
                x = list[i]
                for (j = i - 1; j > 0 && list[j] > x; j--) list[j + 1] = list[j]
                list[j + 1] = x
            }
            return list[int((count + 1) / 2)]
        }
        function finish(key, n, i, b, q) {
            for (i = 1; i <= count; i++) { b[i] = build[i]; q[i] = query[i] }
            built[key] = median(b, count); grid[key] = median(q, count)
        }
        {
            key = $1 " " $2
            if (key != last && last != "") { finish(last); count = 0 }
            if (!(key in seen)) { seen[key] = 1; keys[++key_count] = key }
            last = key; build[++count] = $3; query[count] = $4 * $2 ^ 3 / $5
        }
        END {
            finish(last)
            printf "%-8s %5s %9s %9s %9s %9s %14s %14s\n", "engine", "n", "build s", "grid s", "whole s", "ns/node", \
                "grid x carom", "whole x carom"
            for (i = 1; i <= key_count; i++) {
                key = keys[i]
                split(key, f, " ")
                own = "carom " f[2]
                whole = built[key] + grid[key]
                printf "%-8s %5d %9.3f %9.3f %9.3f %9.0f %14.2f %14.2f\n", f[1], f[2], built[key], grid[key], whole, \
                    1e9 * grid[key] / f[2] ^ 3, grid[key] / grid[own], whole / (built[own] + grid[own])
            }
        }'
}

build_distance() {
    build bench_distance
    if have_header CGAL/AABB_tree.h; then
        ${CXX:-g++} -O3 -DNDEBUG -std=c++17 -w "$root/bench/peers/distance_cgal.cpp" -o "$out/distance_cgal" -lgmp -lmpfr
    fi
    if have_header embree3/rtcore.h; then
        ${CC:-gcc} -O3 "$root/bench/peers/distance_embree.c" -o "$out/distance_embree" -lembree3 -lm
    fi
}

bench_distance() {
    local folder peers n step round peer
    folder=$(mktemp -d)
    build_distance
    peers=""
    for peer in cgal embree; do
        if [ -x "$out/distance_$peer" ]; then
            peers="$peers $peer"
        fi
    done
    # DISTANCE_MESH: another closed surface, as STL, OBJ or PLY
    echo "Exact signed distances on n^3 nodes, every row seeded by the neighbour, medians of 5 rounds;" \
        "$("$out/bench_distance" make "$folder/mesh" ${DISTANCE_MESH:+"$DISTANCE_MESH"})"
    for round in 1 2 3 4 5; do # interleaved, so that a busy moment hits everyone alike
        for n in 64 128; do
            step=$((n / 64 * n / 64)) # every 4th slice of 128
            "$out/bench_distance" run "$folder/mesh" $n $step "$folder/carom_$n"
            for peer in $peers; do
                "$out/distance_$peer" "$folder/mesh" $n $step "$folder/${peer}_$n"
            done
        done
    done | distance_table
    for n in 64 128; do
        for peer in $peers; do
            echo "carom and $peer, n = $n: largest difference of distances (of the largest), sign differences:" \
                "$("$out/bench_distance" compare "$folder/carom_$n" "$folder/${peer}_$n")"
        done
    done
    rm -r "$folder"
}
