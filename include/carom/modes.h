/* How bodies that deform vibrate: what was made of their meshes, modes with frequencies, shapes for pictures.
 *
 * Threads: modes are constant once found; different threads may find modes of one spec that nobody changes. */
#ifndef CAROM_MODES_H
#define CAROM_MODES_H

#include <carom/export.h>
#include <carom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a body that deforms is made of. */
typedef struct carom_flexible_info {
    const char *kind; /* "modes", ...; NULL: the body is rigid, and all else is 0 */
    int node_count;
    int element_count;
    int freedom_count;    /* of the finite elements */
    int coordinate_count; /* deformation coordinates of the body: its unknowns beside the six of its frame */
    double lowest;        /* [Hz] frequencies of the free body; 0: not known */
    double highest;
    int dropped; /* shapes that said nothing new and were left out */
    int facet_count; /* of the surface of its own that it touches others with; 0: its shapes touch, or the method knows none */
    /* Of bodies in nodal coordinates, else 0: */
    double critical_step;     /* [s] longest stable explicit step */
    carom_v3 critical_at;     /* [m] the middle of the element that sets it, in the axes of the body */
    double critical_distance; /* [m] between the closest nodes of that element */
    double usual_distance;    /* [m] the same, median of all elements */
} carom_flexible_info;
CAROM_API carom_flexible_info carom_model_flexible(const carom_model *model, carom_id body);

typedef struct carom_modes carom_modes;

typedef struct carom_modes_options {
    int count; /* modes of vibration; 0: as many as the body asks for, or 10 where it asks by frequency and `free` is set */
    bool free; /* of the free body, whatever its attachments are */
} carom_modes_options;

/* Modes of a body of the spec that deforms, by name. options may be NULL. */
CAROM_API carom_status carom_modes_find(const carom_spec *spec, const char *body, const carom_modes_options *options,
                                        carom_modes **out, carom_error *err);
CAROM_API void carom_modes_destroy(carom_modes *modes); /* NULL: nothing */

typedef struct carom_mode_info {
    const char *kind; /* "fixed-interface": rigid attachments held; "constraint", "attachment": static; "free" */
    const char *attachment; /* of static shapes, else NULL */
    double frequency;       /* [Hz]; of static shapes by their strain and kinetic energy */
    double mass[3];         /* [kg] that shaking along x, y, z moves with it; of fixed-interface modes, else 0 */
} carom_mode_info;

/* The shapes that were found. NULL modes: none; an index out of range: zeros, kind NULL. */
CAROM_API int carom_modes_count(const carom_modes *modes);
CAROM_API carom_mode_info carom_modes_get(const carom_modes *modes, int index);

/* A frequency of the body as it takes part in the motion, free, and how far off it is: against that with twice the modes, or with
 * `free` against that of the finite elements. */
typedef struct carom_body_frequency {
    double frequency; /* [Hz] */
    double better;    /* [Hz]; NAN: not known */
} carom_body_frequency;
CAROM_API int carom_modes_frequency_count(const carom_modes *modes);
CAROM_API carom_body_frequency carom_modes_frequency(const carom_modes *modes, int index);

/* Mass of the body [kg]; 0 for NULL. */
CAROM_API double carom_modes_mass(const carom_modes *modes);

/* The largest principal strain of a shape, in magnitude, per metre that the node moves which moves most [1/m]; of beams that of their outer
 * fibre. NAN: there is no such shape, nothing in it moves, or no memory. */
CAROM_API double carom_modes_strain(const carom_modes *modes, int index);

/* Writes a page that shows the shapes as they swing, each for itself, in colours of strain. title may be NULL. */
CAROM_API carom_status carom_modes_page(const carom_modes *modes, const char *title, const char *file,
                                        carom_error *err);

/* Writes modes.csv and modes.vtu into a folder, which is made where there is none: a row and a displacement of each shape, whose largest
 * is a tenth of the size of the body. report may be NULL. */
CAROM_API carom_status carom_modes_export(const carom_modes *modes, const char *folder, carom_export_report *report,
                                          carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
