# Reading meshes beside Assimp: the statue, 231 422 triangles, as binary STL, OBJ and PLY.

# A table of the lines "format reader fastest median triangles vertices"; the last column says how much faster carom is.
mesh_table() {
    sort -s -k1,1 -k2,2 -k4,4n | awk '
        { key = $1 " " $2; if (!(key in count)) order[++n] = key; line[key, ++count[key]] = $0 }
        END {
            printf "%-6s %-8s %12s %12s %10s %10s %12s\n", "format", "reader", "fastest ms", "median ms", "triangles", \
                "vertices", "x assimp"
            for (i = 1; i <= n; i++) {
                split(line[order[i], int((count[order[i]] + 1) / 2)], f, " ")
                time[f[1] " " f[2]] = f[4]
                shown[i] = sprintf("%-6s %-8s %12s %12s %10s %10s", f[1], f[2], f[3], f[4], f[5], f[6])
            }
            for (i = 1; i <= n; i++) {
                split(order[i], f, " ")
                peer = time[f[1] " assimp"]
                print shown[i], sprintf("%12s", peer > 0 ? sprintf("%.2f", peer / time[order[i]]) : "-")
            }
        }'
}

build_mesh() {
    build bench_mesh_read
    if have_header assimp/scene.h; then
        ${CXX:-g++} -O2 -std=c++17 "$root/bench/peers/mesh_assimp.cpp" -o "$out/mesh_assimp" -lassimp
    fi
}

bench_mesh() {
    echo "Reading the statue with welded vertices, processor time of 5 runs of 5 (median of the medians)"
    build_mesh
    for format in stl obj ply; do
        "$out/bench_mesh_read" --write "$out/statue.$format"
        for run in 1 2 3 4 5; do # interleaved, so that a busy moment hits everyone alike
            echo "$format $("$out/bench_mesh_read" "$out/statue.$format" 5)"
            if [ -x "$out/mesh_assimp" ]; then
                echo "$format $("$out/mesh_assimp" "$out/statue.$format" 5)"
            fi
        done
        rm -f "$out/statue.$format"
    done | mesh_table
}
