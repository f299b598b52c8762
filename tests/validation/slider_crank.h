/* Flores' slider-crank [Flores2004; benchmarks]: crank 0.05 m, rod 0.12 m, journal 9.5 mm in a bearing of 10 mm, 5000 rpm.
 * Variables, bodies and joints of the scene; time and contact are each test's own. */
#ifndef CAROM_TESTS_VALIDATION_SLIDER_CRANK_H
#define CAROM_TESTS_VALIDATION_SLIDER_CRANK_H

#define SLIDER_CRANK                                                                                                 \
    "  \"variables\": {\"r\": 0.05, \"rod\": 0.12, \"omega\": 523.5987755982989},"                                   \
    "  \"bodies\": ["                                                                                                \
    "    {\"name\": \"crank\", \"mass\": 0.3, \"inertia\": [1e-5, 1e-5, 1e-5], \"position\": [\"$r/2\", 0, 0],"      \
    "     \"velocity\": [0, \"$omega*$r/2\", 0], \"angular_velocity\": [0, 0, \"$omega\"]},"                         \
    "    {\"name\": \"rod\", \"mass\": 0.21, \"inertia\": [2.5e-5, 2.5e-5, 2.5e-5],"                                 \
    "     \"position\": [\"$r+$rod/2\", 0, 0], \"velocity\": [0, \"$omega*$r/2\", 0],"                               \
    "     \"angular_velocity\": [0, 0, \"-$omega*$r/$rod\"]},"                                                       \
    "    {\"name\": \"slider\", \"mass\": 0.14, \"inertia\": [1e-4, 1e-4, 1e-4], \"position\": [\"$r+$rod\", 0, "    \
    "0]}],"                                                                                                          \
    "  \"joints\": ["                                                                                                \
    "    {\"name\": \"main\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"],"                          \
    "     \"motion\": {\"value\": \"$omega*t\"}},"                                                                   \
    "    {\"name\": \"big end\", \"type\": \"revolute\", \"bodies\": [\"crank\", \"rod\"], \"at\": [\"$r\", 0, 0]}," \
    "    {\"name\": \"small end\", \"type\": \"revolute\", \"bodies\": [\"slider\", \"rod\"], \"at\": "              \
    "[\"$r+$rod\", "                                                                                                 \
    "0, 0],"                                                                                                         \
    "     \"clearance\": {\"play\": 0.5e-3, \"radius\": 9.5e-3}},"                                                   \
    "    {\"name\": \"cylinder\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"slider\"], \"axis\": [1, 0, "  \
    "0],"                                                                                                            \
    "     \"at\": [\"$r+$rod\", 0, 0]}]"

#endif
