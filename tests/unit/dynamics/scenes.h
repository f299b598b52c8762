/* Mechanisms that several tests share. */
#ifndef CAROM_TESTS_DYNAMICS_SCENES_H
#define CAROM_TESTS_DYNAMICS_SCENES_H

#include "support/scene_file.h"

/* A rod of 1 m released from the horizontal: amplitude pi/2 about the vertical, omega0^2 = 3 g / (2 L). */
#define SCENE_PENDULUM scene_text("shared/pendulum.json")

/* Two rods; the second one's hinge is skew, so that rotations are about changing axes. */
#define SCENE_DOUBLE_PENDULUM scene_text("shared/double_pendulum.json")

/* A planar four-bar of four revolute joints: Gruebler counts -2, three rows are redundant. */
#define SCENE_FOUR_BAR scene_text("shared/four_bar.json")

/* 1 kg on a slider with k = 1e6 N/m, c = 1e4 N s/m, pulled by 100 N: overdamped, rates -101 and -9899 per second. */
#define SCENE_STIFF scene_text("shared/stiff.json")

#endif
