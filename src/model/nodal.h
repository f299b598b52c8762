/* Bodies in nodal coordinates as a model has them: elements/bodies/nodes.h with its place in the world, its rigid sections and its
 * surface.
 *
 * Such a body has no columns: nothing of it is among the unknowns of the saddle-point system. Its coordinates lie in the model's
 * deformation coordinates from first_deform on; its pose is derived from them, for those who look at it. Nodes that an attachment
 * makes rigid move with a **section**, a rigid body of its own with the mass of its nodes, which joints and forces take hold of. */
#ifndef CAROM_MODEL_NODAL_H
#define CAROM_MODEL_NODAL_H

#include "base/arena.h"
#include "elements/bodies/body.h"
#include "elements/bodies/nodes.h"
#include "model/surface.h"

typedef struct model_section {
    const char *name;
    int body; /* that moves with it */
    int node_count;
    const int *nodes; /* ascending */
    v3 low, high;     /* [m] the box around them, undeformed */
    v3 centre;        /* of mass, undeformed, in the axes of the deforming body's frame */
} model_section;

enum { PROBE_ELEMENTS = 32 };

/* A place whose motion is a signal. On a node its strain is the mean of that of the elements around. */
typedef struct model_probe {
    int count; /* elements */
    int elements[PROBE_ELEMENTS];
    double xi[PROBE_ELEMENTS][3];
    v3 at;    /* [m] undeformed, in the frame of the body */
    v3 along; /* of the strain */
} model_probe;

typedef struct model_nodal {
    int body;
    int first_deform;
    nodal_body *nodes;
    solid_mesh *mesh; /* owned, as the above */
    carom_pose start; /* of the frame that coordinates are measured from */
    m3 R_start;
    int section_count;
    model_section *sections;
    int *section_of; /* per node: section, -1: moves by itself */
    const model_surface *surface;
    int probe_count;
    body_probe *probe_names;
    model_probe *probes;
    nodal_vibration fastest;
    double critical; /* [s] longest stable step */
} model_nodal;

/* Places of nodes at displacements u of the body. */
static inline v3 nodal_start_w(const model_nodal *n, int node)
{
    return v3_add(n->start.position, m3_mulv(n->R_start, nodal_place(n->nodes, node)));
}

static inline v3 nodal_vector_w(const model_nodal *n, const double *u, int node)
{
    return m3_mulv(n->R_start, node_load(u, nodal_dimension(n->nodes), node));
}

static inline v3 nodal_position_w(const model_nodal *n, const double *u, int node)
{
    return v3_add(nodal_start_w(n, node), nodal_vector_w(n, u, node));
}

/* Probes of the definition; room from the arena. Refuses places outside of the mesh. */
struct flexible_input;
carom_status nodal_make_probes(model_nodal *n, const struct flexible_input *in, carom_arena *arena, carom_error *err);

/* For the table of the kind (body.h), whose parameters are a model_nodal. */
struct carom_flexible_info;
void nodal_about(const void *nodal, struct carom_flexible_info *out);
double nodal_strain_energy(const void *nodal, const double *q);
const body_probe *nodal_probes(const void *nodal, int *count);
void nodal_probe(const void *nodal, const body_frame *frame, const double *q, const double *q_dot, int probe,
                 probe_motion *out);

/* Velocities of the nodes of a rigid motion of the undeformed body: v_w of the origin of its frame. */
void nodal_set_rates(const model_nodal *n, v3 v_w, v3 omega_w, double *q_dot);

/* Nodes of sections are put where their bodies are. */
void nodal_follow_sections(const model_nodal *n, const body_pose *pose, const body_rate *rate, double *q,
                           double *q_dot);

/* The body as a whole: pose at the centre of mass by the best fit of all nodes, and its rate. */
void nodal_overall(const model_nodal *n, const double *q, const double *q_dot, v3 com_b, body_pose *pose,
                   body_rate *rate);

#endif
