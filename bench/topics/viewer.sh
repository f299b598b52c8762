# Reports in a browser: how long they take to open and how smoothly they play. The docking report is to open in under 3 s
# and 60 bodies are to play at 30 frames per second or more.

# Sixty bodies of three shapes that fall on a plane and bounce.
viewer_scene() {
    cat << 'END'
{ "carom": 1, "name": "sixty bodies", "gravity": [0, 0, -9.81], "time": {"end": 2, "tolerance": 1e-4},
  "contact": {"method": "compliant", "law": {"hunt-crossley": {"k": 1e5}}, "restitution": 0.6, "spacing": 0.2},
  "bodies": [
    {"name": "floor", "shape": {"plane": [0, 0, 1]}, "fixed": true},
    {"name": "ball", "repeat": {"count": 20}, "shape": {"sphere": 0.1}, "density": 500,
     "position": ["0.4*$index-4", 0, "0.4+0.05*$index"]},
    {"name": "drum", "repeat": {"count": 20}, "shape": {"cylinder": {"radius": 0.1, "length": 0.2}}, "density": 500,
     "position": ["0.4*$index-4", 0.6, "0.4+0.05*$index"], "angular_velocity": [1, 2, 3]},
    {"name": "box", "repeat": {"count": 20}, "shape": {"box": [0.2, 0.2, 0.2]}, "density": 500,
     "position": ["0.4*$index-4", -0.6, "0.4+0.05*$index"], "angular_velocity": [3, 2, 1]} ],
  "record": {"every": 0.005} }
END
}

viewer_table() {
    awk '
        BEGIN {
            printf "%-14s %8s %10s %10s %16s %8s %8s %10s\n", "report", "MB", "opens [s]", "frames/s", "scene alone", \
                "frames", "bodies", "triangles"
        }
        { printf "%-14s %8s %10s %10s %16s %8d %8d %10d\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
}

bench_viewer() {
    echo "Reports in headless Chromium, 1280 x 720, drawn in software (opening: median of 3; playing: median of 5 s)"
    build carom_cli
    viewer_scene > "$out/sixty.json"
    "$root/build/bin/carom" run "$root/examples/scenes/docking.json" -o "$out/viewer-docking" -q
    "$root/build/bin/carom" run "$out/sixty.json" -o "$out/viewer-sixty" -q
    node "$root/bench/viewer.mjs" "docking=$out/viewer-docking/report.html" "sixty=$out/viewer-sixty/report.html" |
        viewer_table
}
