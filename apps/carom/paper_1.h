/* Parts of paper 1 that have files of their own. */
#ifndef CAROM_APP_PAPER_1_H
#define CAROM_APP_PAPER_1_H

#include "paper.h"

/* 4.3: capture, velocities and contact points of two spacecraft. */
int docking_item(paper_report *r);

#endif
