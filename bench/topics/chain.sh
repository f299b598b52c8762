# Chains of rods beside Simbody and Bullet.

# A table of the lines "engine joint N steps/s drift gap"; the last column compares with Simbody's Verlet.
chain_table() {
    awk '
        { speed[$1 " " $2 " " $3] = $4; line[NR] = $0 }
        END {
            printf "%-26s %-10s %6s %12s %11s %11s %16s\n", "engine", "joint", "N", "steps/s", "drift", "gap [m]", \
                "x simbody-verlet"
            for (i = 1; i <= NR; i++) {
                split(line[i], f, " ")
                joint = f[2] == "spherical" || f[2] == "ball" ? "ball" : "pin"
                peer = speed["simbody-verlet " joint " " f[3]]
                ratio = peer > 0 ? sprintf("%.2f", f[4] / peer) : "-"
                printf "%-26s %-10s %6d %12.0f %11s %11s %16s\n", f[1], f[2], f[3], f[4], f[5], f[6], ratio
            }
            a = speed["carom-generalized-alpha revolute 100"]
            b = speed["carom-generalized-alpha revolute 1000"]
            if (a > 0 && b > 0) {
                printf "carom-generalized-alpha, revolute: t(1000)/t(100) = %.1f\n", a / b
            }
        }'
}

build_chain() {
    build bench_chain
    if have_header Simbody.h -I/usr/include/simbody; then
        ${CXX:-g++} -O2 -std=c++17 -isystem /usr/include/simbody -w "$root/bench/peers/chain_simbody.cpp" -o "$out/chain_simbody" \
            -lSimTKsimbody -lSimTKmath -lSimTKcommon
    fi
    if have_header btBulletDynamicsCommon.h $(pkg-config --cflags bullet-float64 2> /dev/null); then
        ${CXX:-g++} -O2 -std=c++17 "$root/bench/peers/chain_bullet.cpp" -o "$out/chain_bullet" \
            $(pkg-config --cflags --libs bullet-float64)
    fi
}

bench_chain() {
    echo "Chain of N rods, horizontal at rest, 1 s with h = 1 ms (median of 3 runs by speed)"
    build_chain
    for n in 10 100 1000; do
        for run in 1 2 3; do # interleaved, so that a busy moment hits everyone alike
            for integrator in generalized-alpha runge-kutta semi-implicit-euler; do
                "$out/bench_chain" $n revolute $integrator
                "$out/bench_chain" $n spherical $integrator
            done
            if [ -x "$out/chain_simbody" ]; then
                for integrator in verlet euler rk3; do
                    "$out/chain_simbody" $n pin $integrator
                done
                "$out/chain_simbody" $n ball verlet
            fi
            if [ -x "$out/chain_bullet" ]; then
                "$out/chain_bullet" $n multibody
                "$out/chain_bullet" $n hinges
            fi
        done
    done | sort -k1,1 -k2,2 -k3,3n -k4,4n | awk '{ if (++k[$1 $2 $3] == 2) print }' | sort -s -k3,3n | chain_table
}
