# Distance fields beside OpenVDB: building near the surface, right signs, value and gradient.

# Lines "tool what number ..." of both; the ratio is OpenVDB's number over carom's.
field_table() {
    awk '
        { line[NR] = $0; if ($2 ~ /^(build|query)/) number[$1 " " $2] = $3 }
        END {
            for (i = 1; i <= NR; i++) {
                split(line[i], f, " ")
                peer = number["openvdb " f[2]]
                mine = f[1] == "carom" && peer > 0 && f[3] > 0
                printf "%s%s\n", line[i], mine ? sprintf(": %.2f x openvdb", peer / f[3]) : ""
            }
        }'
}

bench_field() {
    echo "Distance fields of a statue of 231 422 triangles, one thread"
    build bench_field
    file=$(mktemp "${TMPDIR:-/tmp}/carom-field.XXXXXX")
    if have_header openvdb/openvdb.h; then
        ${CXX:-g++} -O3 -DNDEBUG -std=c++17 -w "$root/bench/peers/field_openvdb.cpp" -o "$out/field_openvdb" -lopenvdb -ltbb -lImath
    fi
    {
        "$out/bench_field" "$file"
        if [ -x "$out/field_openvdb" ]; then
            "$out/field_openvdb" "$file"
        fi
    } | field_table
    rm -f "$file"
}
