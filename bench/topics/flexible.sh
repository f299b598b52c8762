# Finite elements: cost against their number.
bench_flexible() {
    echo "Finite elements, one end held, processor time"
    build bench_flexible
    "$out/bench_flexible"
}
