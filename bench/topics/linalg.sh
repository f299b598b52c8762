# Block LDL^T of trees against CHOLMOD.
bench_linalg() {
    echo "Factor and solve, us per body"
    build bench_linalg
    "$out/bench_linalg"
}
