/* What forces given by expressions of joint coordinates add to implicit tangents: a control that reads a coordinate, or its rate, and acts
 * along it is as stiff as the spring or damper it imitates. */
#ifndef CAROM_DYNAMICS_FEEDBACK_H
#define CAROM_DYNAMICS_FEEDBACK_H

#include "dynamics/element_tangents.h"

/* Whether some force reads coordinates of a joint and acts along them: on that coordinate, or on one of the joint's bodies. */
bool feedback_along(const carom_model *model, int joint);

/* Calls `visit` with stiffness K + damping D along the coordinates of such joints; only what resists. */
void feedback_tangents(const carom_scratch *w, double stiffness, double damping, element_visitor *visit,
                       void *context);

#endif
