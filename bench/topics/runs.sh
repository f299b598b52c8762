# Many short runs of one model in one process, on one thread and on two.
bench_runs() {
    echo "1000 runs of 0.1 s, pendulum and wall: runs per second of wall time, processor time per run in us"
    build bench_runs
    printf '%-10s %-8s %10s %10s %7s %12s %12s %7s\n' method sink "1 thread" "2 threads" ratio "us, 1 thread" "us, 2" quiet
    for method in impact compliant; do
        "$out/bench_runs" "$root/examples/scenes/pendulum-wall.json" "$method" 1000
    done
}
