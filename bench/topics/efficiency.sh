# The four ways of detection of paper 1 on its three pairs of bodies: section 4.2, figure 10.

bench_efficiency() {
    build carom_cli
    "$root/build/bin/carom" papers 1 --item efficiency -o "$out/papers-1"
}
