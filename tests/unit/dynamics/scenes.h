/* Mechanisms that several tests share. */
#ifndef CAROM_TESTS_DYNAMICS_SCENES_H
#define CAROM_TESTS_DYNAMICS_SCENES_H

/* A rod of 1 m released from the horizontal: amplitude pi/2 about the vertical, omega0^2 = 3 g / (2 L). */
#define SCENE_PENDULUM                                                                         \
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 2},"                       \
    " \"bodies\": [{\"name\": \"rod\", \"mass\": 2, \"inertia\": [0.001, \"2/12\", \"2/12\"]," \
    "               \"position\": [0.5, 0, 0]}],"                                              \
    " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"]}]}"

/* Two rods; the second one's hinge is skew, so that rotations are about changing axes. */
#define SCENE_DOUBLE_PENDULUM                                                                                        \
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 2},"                                             \
    " \"bodies\": [{\"name\": \"upper\", \"mass\": 2, \"inertia\": [0.01, 0.17, 0.17], \"position\": [0.5, 0, 0]},"  \
    "              {\"name\": \"lower\", \"mass\": 1, \"inertia\": [0.02, 0.08, 0.09], \"position\": [1.5, 0, 0]}]," \
    " \"joints\": [{\"name\": \"first\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"upper\"]},"              \
    "              {\"name\": \"second\", \"type\": \"revolute\", \"bodies\": [\"upper\", \"lower\"],"               \
    "               \"at\": [1, 0, 0], \"axis\": [0, 0.6, 0.8]}]}"

/* A planar four-bar of four revolute joints: Gruebler counts -2, three rows are redundant. */
#define SCENE_FOUR_BAR                                                                                               \
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 2},"                                             \
    " \"bodies\": [{\"name\": \"crank\", \"mass\": 1, \"inertia\": [0.01, 0.02, 0.02], \"position\": [0, 0.5, 0]},"  \
    "              {\"name\": \"coupler\", \"mass\": 2, \"inertia\": [0.02, 0.5, 0.5], \"position\": [1, 1, 0]},"    \
    "              {\"name\": \"rocker\", \"mass\": 1.5, \"inertia\": [0.01, 0.1, 0.1], \"position\": [2, 0.5, "     \
    "0]}],"                                                                                                          \
    " \"joints\": [{\"name\": \"a\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"crank\"]},"                  \
    "              {\"name\": \"b\", \"type\": \"revolute\", \"bodies\": [\"crank\", \"coupler\"], \"at\": [0, 1, "  \
    "0]},"                                                                                                           \
    "              {\"name\": \"c\", \"type\": \"revolute\", \"bodies\": [\"coupler\", \"rocker\"], \"at\": [2, 1, " \
    "0]},"                                                                                                           \
    "              {\"name\": \"d\", \"type\": \"revolute\", \"bodies\": [\"rocker\", \"ground\"], \"at\": [2, 0, "  \
    "0]}],"                                                                                                          \
    " \"forces\": [{\"name\": \"push\", \"type\": \"load\", \"body\": \"coupler\", \"force\": [5, 0, 0]}]}"

/* 1 kg on a slider with k = 1e6 N/m, c = 1e4 N s/m, pulled by 100 N: overdamped, rates -101 and -9899 per second. */
#define SCENE_STIFF                                                                                       \
    "{\"carom\": 1, \"time\": {\"end\": 0.1},"                                                            \
    " \"bodies\": [{\"name\": \"block\", \"mass\": 1, \"inertia\": [1, 1, 1], \"velocity\": [0, 0, 1]}]," \
    " \"joints\": [{\"name\": \"slide\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"block\"],"   \
    "               \"spring\": {\"stiffness\": 1e6, \"damping\": 1e4}}],"                                \
    " \"forces\": [{\"name\": \"pull\", \"type\": \"load\", \"body\": \"block\", \"force\": [0, 0, 100]}]}"

#endif
