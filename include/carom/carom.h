/* carom: contact and impact dynamics of multibody systems. Takes all public headers. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include <carom/batch.h>
#include <carom/contact.h>
#include <carom/export.h>
#include <carom/fmu.h>
#include <carom/kernels.h>
#include <carom/mesh.h>
#include <carom/modes.h>
#include <carom/observe.h>
#include <carom/page.h>
#include <carom/params.h>
#include <carom/plot.h>
#include <carom/render.h>
#include <carom/result.h>
#include <carom/run.h>
#include <carom/scene.h>
#include <carom/sdf.h>
#include <carom/store.h>
#include <carom/study.h>
#include <carom/trust.h>
#include <carom/user.h>

#endif
