/* Seconds of wall time, and of processor time of this process and of this thread. */
#ifndef CAROM_BASE_CLOCK_H
#define CAROM_BASE_CLOCK_H

double carom_clock_wall(void);
double carom_clock_cpu(void);
double carom_clock_thread(void);

#endif
