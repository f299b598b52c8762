/* A frame on its way to a sink: all that results hold of an instant, and the scratch as its evaluation has left it, for
 * observers. */
#ifndef CAROM_SIM_FRAME_H
#define CAROM_SIM_FRAME_H

#include <carom/run.h>

#include "dynamics/work.h"

struct carom_frame {
    result_frame all;
    const carom_scratch *scratch;
};

#endif
