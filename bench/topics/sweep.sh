# Collision layer of the method `barrier`.
bench_sweep() {
    echo "Near lists, sweeps of moving trees, queries and the exact test; us of processor time, medians"
    build bench_sweep
    "$out/bench_sweep"
}
