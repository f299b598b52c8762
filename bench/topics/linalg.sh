# Block LDL^T of trees against CHOLMOD.
bench_linalg() {
    echo "Factor and solve, us per body"
    cmake --build "$root/build" --target bench_linalg > /dev/null
    "$out/bench_linalg"
}
