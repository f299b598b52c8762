# Contact detection: the octree of points, and a pair of large meshes beside ODE. An optional mesh file in
# CAROM_BENCH_MESH replaces the generated knot.

detection_build() {
    build bench_detection
    if have_header ode/ode.h; then
        ${CXX:-g++} -O2 -std=c++17 "$root/bench/peers/pair_ode.cpp" -o "$out/pair_ode" $(pkg-config --cflags --libs ode)
    fi
}

# Lines "engine dx ms contacts deepest" of both; the ratio is ODE's time over carom's.
detection_pair_table() {
    awk '
        { line[NR] = $0; ms[$1 " " $2] = $3 }
        END {
            printf "%-12s %6s %10s %10s %12s %8s\n", "engine", "shift", "ms", "contacts", "deepest [m]", "x ode"
            for (i = 1; i <= NR; i++) {
                split(line[i], f, " ")
                peer = ms["ode " f[2]]
                ratio = f[1] != "ode" && peer > 0 ? sprintf("%.1f", peer / f[3]) : "-"
                printf "%-12s %6s %10.3f %10d %12s %8s\n", f[1], f[2], f[3], f[4], f[5], ratio
            }
        }'
}

bench_detection() {
    detection_build
    echo "One detection with and without the octree of points (ms), a knot on a knot, field on a full grid (no default)"
    "$out/bench_detection" growth | awk '
        $1 == "points" { printf "%9d points: without %9.4f, with %8.4f, %6d hits, %.1f x\n", $2, $3, $4, $5, $6 }
        $1 == "exponent" { printf "growth over the last decade: n^%s without, n^%s with\n", $3, $5 }'
    echo "A mesh of 231 200 triangles on itself, turned and shifted: light (1.5), deep (0.6); bricks are the default"
    file=$(mktemp "${TMPDIR:-/tmp}/carom-detection.XXXXXX")
    "$out/bench_detection" mesh "$file" ${CAROM_BENCH_MESH:-}
    for shift in 1.5 0.6; do # interleaved, so that a busy moment hits both alike
        "$out/bench_detection" pair $shift ${CAROM_BENCH_MESH:-}
        if [ -x "$out/pair_ode" ]; then
            "$out/pair_ode" "$file" $shift
        fi
    done | detection_pair_table
    rm -f "$file"
}
