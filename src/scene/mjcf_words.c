/* The attributes of MJCF that carom reads, or that have no bearing on the motion. All others are warned of. */
#include "scene/mjcf.h"

#define COMMON "name class group user "
#define PLACE "pos quat axisangle xyaxes zaxis euler "
#define SOLVER "solref solimp solmix " /* counted by mjcf.c */
#define ACTS                                                                                                      \
    COMMON "joint jointinparent gear ctrllimited ctrlrange forcelimited forcerange kp kv tendon site slidersite " \
           "cranksite body refsite dampratio timeconst inheritrange dyntype actdim lengthrange"

static const robot_words words[] = {
    { NULL, "mujoco", "model" },
    { NULL, "compiler",
      "angle eulerseq coordinate inertiafromgeom autolimits meshdir assetdir texturedir strippath boundmass "
      "boundinertia settotalmass balanceinertia inertiagrouprange discardvisual convexhull fitaabb fusestatic usethread "
      "exactmeshinertia alignfree saveinertial" },
    { NULL, "option",
      "gravity wind density viscosity magnetic timestep apirate impratio integrator cone jacobian solver iterations "
      "tolerance ls_iterations ls_tolerance noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance "
      "mpr_iterations mpr_tolerance sdf_iterations sdf_initpoints o_solref o_solimp" },
    { NULL, "flag",
      "gravity contact constraint equality frictionloss limit passive actuation clampctrl filterparent warmstart energy "
      "fwdinv invdiscrete sensor sensornoise midphase eulerdamp refsafe island multiccd nativeccd autoreset" },
    { NULL, "default", "class" },
    { NULL, "asset", "" },
    { NULL, "worldbody", "name" },
    { NULL, "body", COMMON PLACE "childclass mocap gravcomp" },
    { NULL, "inertial", PLACE "mass diaginertia fullinertia" },
    { "equality", "joint", COMMON SOLVER "joint1 joint2 polycoef active" },
    { NULL, "joint",
      COMMON
      "type pos axis springdamper limited range ref springref armature damping frictionloss stiffness solreflimit "
      "solimplimit solreffriction solimpfriction" },
    { NULL, "freejoint", COMMON "align" },
    { NULL, "geom",
      COMMON PLACE SOLVER
      "type size fromto mass density material rgba friction contype conaffinity condim mesh hfield" },
    { NULL, "mesh", "name class file scale refpos refquat content_type smoothnormal maxhullvert inertia" },
    { NULL, "equality", SOLVER "active" },
    { NULL, "connect", COMMON SOLVER "body1 body2 anchor site1 site2 active" },
    { NULL, "weld", COMMON SOLVER "body1 body2 anchor relpose torquescale site1 site2 active" },
    { NULL, "actuator", "" },
    { NULL, "motor", ACTS },
    { NULL, "position", ACTS },
    { NULL, "velocity", ACTS },
    { NULL, "general", ACTS " gaintype gainprm biastype biasprm dynprm" },
    { NULL, "contact", "" },
    { NULL, "exclude", COMMON "body1 body2" },
    { NULL, "keyframe", "" },
    { NULL, "key", "name time qpos qvel ctrl act mpos mquat" },
    { 0 },
};

void mjcf_check_attributes(mjcf *m)
{
    robot_check_attributes(&m->robot, m->root, words);
}
