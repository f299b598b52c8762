/* Definitions of materials and of bodies that deform: defaults and field tables. */
#include <assert.h>

#include <carom/elements.h>

#define FIELD(type, member, spelled, of_kind, dim, marks, sentence)                                           \
    {                                                                                                         \
        .name = spelled, .kind = of_kind, .offset = offsetof(type, member), .dimension = dim, .flags = marks, \
        .doc = sentence                                                                                       \
    }
#define REAL(type, member, dim, marks, sentence)                                                       \
    {                                                                                                  \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(type, member), .dimension = dim, \
        .flags = marks, .doc = sentence                                                                \
    }
#define LENGTH(type, member, marks, sentence)                                                                       \
    {                                                                                                               \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(type, member), .dimension = CAROM_DIM_LENGTH, \
        .flags = marks, .doc = sentence                                                                             \
    }

/* ---- materials ------------------------------------------------------------------------------------------------ */

static const carom_field material_fields[] = {
    FIELD(carom_material_def, name, "name", CAROM_FIELD_TEXT, CAROM_DIM_NONE, CAROM_REQUIRED,
          "What `material` of bodies and shapes calls it; the key of the entry."),
    REAL(carom_material_def, young, CAROM_DIM_PRESSURE, CAROM_NONNEGATIVE,
         "Young's modulus, for bodies that deform."),
    REAL(carom_material_def, poisson, CAROM_DIM_NONE, 0, "Poisson's ratio, above -1 and below 0.5."),
    REAL(carom_material_def, density, CAROM_DIM_DENSITY, CAROM_NONNEGATIVE,
         "Mass per volume, of bodies that deform and of shapes that give none of their own, nor their body."),
    { 0 },
};

const carom_field *carom_material_fields(void)
{
    return material_fields;
}

carom_material_def carom_material_def_default(void)
{
    return (carom_material_def){ 0 };
}

/* ---- meshes -------------------------------------------------------------------------------------------------- */

#define MIDDLE(type)                                                                                           \
    {                                                                                                          \
        .name = "at", .kind = CAROM_FIELD_VECTOR, .offset = offsetof(type, at), .dimension = CAROM_DIM_LENGTH, \
        .doc = "Where the middle of the mesh lies in the frame of the body."                                   \
    }
#define NUMBERS(type, member, least, most, marks, sentence)                                               \
    {                                                                                                     \
        .name = #member, .kind = CAROM_FIELD_REALS, .offset = offsetof(type, member), .min_count = least, \
        .max_count = most, .flags = marks, .doc = sentence                                                \
    }
#define GRADING(type, count)                     \
    NUMBERS(                                     \
        type, grading, 1, count, CAROM_POSITIVE, \
        "Length of the last cell over that of the first, along each axis, or one number for all; 1 unless given.")

static const carom_mesh_from_file_def file_defaults = { .scale = 1.0 };
static const carom_field file_fields[] = {
    FIELD(carom_mesh_from_file_def, file, "file", CAROM_FIELD_FILE, CAROM_DIM_NONE, CAROM_REQUIRED | CAROM_SHORTHAND,
          "Path of a Gmsh file (.msh, versions 2.2 and 4.1), relative to the scene. Its physical groups can be "
          "attachments."),
    FIELD(carom_mesh_from_file_def, scale, "scale", CAROM_FIELD_REAL, CAROM_DIM_NONE, CAROM_POSITIVE,
          "Metres per unit of the file."),
    { 0 },
};

static const carom_line_mesh_def line_defaults = { .count = 10, .grading = 1.0 };
static const carom_field line_fields[] = {
    LENGTH(carom_line_mesh_def, length, CAROM_POSITIVE | CAROM_REQUIRED, "Length along x."),
    FIELD(carom_line_mesh_def, count, "count", CAROM_FIELD_INT, CAROM_DIM_NONE, CAROM_POSITIVE,
          "Number of elements."),
    REAL(carom_line_mesh_def, grading, CAROM_DIM_NONE, CAROM_POSITIVE,
         "Length of the last element over that of the first."),
    MIDDLE(carom_line_mesh_def),
    { 0 },
};

static const carom_plane_mesh_def strip_defaults = { 0 };
static const carom_field strip_fields[] = {
    LENGTH(carom_plane_mesh_def, length, CAROM_POSITIVE | CAROM_REQUIRED, "Length along x."),
    LENGTH(carom_plane_mesh_def, height, CAROM_POSITIVE | CAROM_REQUIRED, "Height along y."),
    NUMBERS(carom_plane_mesh_def, divisions, 2, 2, CAROM_POSITIVE | CAROM_REQUIRED, "Cells along x and along y."),
    GRADING(carom_plane_mesh_def, 2),
    MIDDLE(carom_plane_mesh_def),
    { 0 },
};

static const carom_rod_mesh_def rod_defaults = { 0 };
static const carom_field rod_fields[] = {
    LENGTH(carom_rod_mesh_def, radius, CAROM_POSITIVE | CAROM_REQUIRED, "Radius, along x."),
    LENGTH(carom_rod_mesh_def, length, CAROM_POSITIVE | CAROM_REQUIRED, "Length along the axis, which is y."),
    NUMBERS(carom_rod_mesh_def, divisions, 2, 2, CAROM_POSITIVE | CAROM_REQUIRED,
            "Cells along the radius and along the axis."),
    GRADING(carom_rod_mesh_def, 2),
    MIDDLE(carom_rod_mesh_def),
    { 0 },
};

static const carom_block_mesh_def block_defaults = { 0 };
static const carom_field block_fields[] = {
    FIELD(carom_block_mesh_def, size, "size", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH, CAROM_POSITIVE | CAROM_REQUIRED,
          "Full edge lengths."),
    NUMBERS(carom_block_mesh_def, divisions, 3, 3, CAROM_POSITIVE | CAROM_REQUIRED, "Cells along x, y and z."),
    GRADING(carom_block_mesh_def, 3),
    MIDDLE(carom_block_mesh_def),
    { 0 },
};

#define FINE(type)                                                                                        \
    LENGTH(type, size, CAROM_POSITIVE | CAROM_REQUIRED, "Size of cells."),                                \
        LENGTH(type, fine, CAROM_NONNEGATIVE, "Size of cells where it is fine; 0: everywhere the same."), \
        REAL(type, growth, CAROM_DIM_NONE, CAROM_POSITIVE, "Of one cell to the next, away from where it is fine.")

static const char *const finger_sides[] = { "apex", "upper", "lower", NULL };
static const carom_finger_mesh_def finger_defaults = { .growth = 1.25 };
static const carom_field finger_fields[] = {
    LENGTH(carom_finger_mesh_def, length, CAROM_POSITIVE | CAROM_REQUIRED, "From the flat end to the apex, along x."),
    LENGTH(carom_finger_mesh_def, width, CAROM_POSITIVE | CAROM_REQUIRED,
           "Along y; the end at +x is a half circle of half this radius."),
    FINE(carom_finger_mesh_def),
    { .name = "towards",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_finger_mesh_def, towards),
      .names = finger_sides,
      .doc = "Where it is fine: at the apex, or on the arc 45 degrees above or below it." },
    MIDDLE(carom_finger_mesh_def),
    { 0 },
};

static const carom_anvil_mesh_def anvil_defaults = { .growth = 1.25 };
static const carom_field anvil_fields[] = {
    LENGTH(carom_anvil_mesh_def, length, CAROM_POSITIVE | CAROM_REQUIRED, "Length along x."),
    LENGTH(carom_anvil_mesh_def, height, CAROM_POSITIVE | CAROM_REQUIRED, "Height along y."),
    FINE(carom_anvil_mesh_def),
    MIDDLE(carom_anvil_mesh_def),
    { 0 },
};

#define PATCH                                                                                         \
    LENGTH(carom_round_mesh_def, radius, CAROM_POSITIVE | CAROM_REQUIRED, "Radius."),                 \
        LENGTH(carom_round_mesh_def, patch, CAROM_POSITIVE | CAROM_REQUIRED,                          \
               "Radius of the region that is fine: about one and a half times that of the contact."), \
        LENGTH(carom_round_mesh_def, fine, CAROM_POSITIVE | CAROM_REQUIRED,                           \
               "Size of cells in the patch, about an eighth of the radius of the contact; they grow away from it.")

static const char *const round_sides[] = { "lower", "upper", "both", NULL };
static const carom_round_mesh_def disc_defaults = { 0 };
static const carom_field disc_fields[] = {
    PATCH,
    { .name = "towards",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_round_mesh_def, towards),
      .names = round_sides,
      .doc = "Where it is fine: at its lowest point, its highest one, or both; along y of a disc, z of a ball." },
    MIDDLE(carom_round_mesh_def),
    { 0 },
};

static const carom_round_mesh_def bed_defaults = { 0 };
static const carom_field bed_fields[] = {
    PATCH,
    FIELD(carom_round_mesh_def, at, "at", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH, 0,
          "Where the middle of the flat side lies in the frame of the body."),
    { 0 },
};

static const carom_filled_mesh_def filled_defaults = { .order = 2 };
static const carom_field filled_fields[] = {
    LENGTH(carom_filled_mesh_def, size, CAROM_POSITIVE | CAROM_REQUIRED | CAROM_SHORTHAND,
           "Length of the edges of tetrahedra, about. Triangles of a mesh file that are smaller stay as they are."),
    FIELD(carom_filled_mesh_def, order, "order", CAROM_FIELD_INT, CAROM_DIM_NONE, CAROM_POSITIVE,
          "1: tetrahedra of four nodes, which are too stiff in bending; 2: of ten."),
    { 0 },
};

#define KIND(type, spelled, table, sentence)                                                       \
    {                                                                                              \
        .name = spelled, .doc = sentence, .fields = table##_fields, .defaults = &table##_defaults, \
        .size = sizeof(type)                                                                       \
    }

static const carom_kind mesh_file = KIND(carom_mesh_from_file_def, "file", file, "A mesh of cells from a Gmsh file.");
static const carom_kind mesh_bar = KIND(carom_line_mesh_def, "bar", line,
                                        "A straight bar along x that stretches and does nothing else.");
static const carom_kind mesh_beam = KIND(carom_line_mesh_def, "beam", line,
                                         "A straight beam along x; by default of Timoshenko elements in space.");
static const carom_kind mesh_strip = KIND(carom_plane_mesh_def, "strip", strip,
                                          "A rectangle in the xy plane; by default of quadrilaterals.");
static const carom_kind mesh_rod = KIND(carom_rod_mesh_def, "rod", rod,
                                        "A round rod that deforms without losing its symmetry about y: the rectangle "
                                        "from its axis to its surface, of axisymmetric quadrilaterals.");
static const carom_kind mesh_block = KIND(carom_block_mesh_def, "block", block, "A box, by default of hexahedra.");
static const carom_kind mesh_plate = KIND(carom_block_mesh_def, "plate", block,
                                          "A thin box, by default of hexahedra with incompatible modes, which bend "
                                          "without locking.");

static const carom_kind mesh_finger = KIND(carom_finger_mesh_def, "finger", finger,
                                           "A strip along x with a round end at +x, of quadrilaterals; fine where it "
                                           "strikes.");
static const carom_kind mesh_anvil =
    KIND(carom_anvil_mesh_def, "anvil", anvil,
         "A rectangle in the xy plane, of quadrilaterals; fine at the middle of its upper "
         "side, where it is struck.");

static const carom_kind mesh_disc =
    KIND(carom_round_mesh_def, "disc", disc,
         "A disc in the xy plane, of quadrilaterals; with `plane` axisymmetric a ball. "
         "Fine where it touches.");
static const carom_kind mesh_ball = KIND(carom_round_mesh_def, "ball", disc,
                                         "A ball of hexahedra, fine where it touches.");
static const carom_kind mesh_bed = KIND(carom_round_mesh_def, "bed", bed,
                                        "The lower half of a disc, of quadrilaterals, flat side up; with `plane` "
                                        "axisymmetric of a ball. Fine in the middle of the flat side.");

static const carom_kind mesh_filled =
    KIND(carom_filled_mesh_def, "of_shape", filled,
         "The body's shape, a closed surface, filled with tetrahedra by the program "
         "Gmsh, which must be installed.");

static const carom_kind *const mesh_kinds[] = { &mesh_file,  &mesh_bar,   &mesh_beam,   &mesh_strip, &mesh_rod,
                                                &mesh_block, &mesh_plate, &mesh_finger, &mesh_anvil, &mesh_disc,
                                                &mesh_ball,  &mesh_bed,   &mesh_filled, NULL };

const carom_kind *const *carom_volume_mesh_kinds(void)
{
    return mesh_kinds;
}

/* ---- cross sections ------------------------------------------------------------------------------------------ */

static const carom_round_section_def round_defaults = { 0 };
static const carom_field round_fields[] = {
    LENGTH(carom_round_section_def, radius, CAROM_POSITIVE | CAROM_REQUIRED | CAROM_SHORTHAND, "Outer radius."),
    LENGTH(carom_round_section_def, inner, CAROM_NONNEGATIVE, "Radius of the bore; 0: none."),
    { 0 },
};

static const carom_rectangle_section_def rectangle_defaults = { 0 };
static const carom_field rectangle_fields[] = {
    LENGTH(carom_rectangle_section_def, height, CAROM_POSITIVE | CAROM_REQUIRED, "Along the local y axis."),
    LENGTH(carom_rectangle_section_def, width, CAROM_POSITIVE | CAROM_REQUIRED, "Along the local z axis."),
    { 0 },
};

static const carom_general_section_def general_defaults = { .shear_y = 5.0 / 6.0, .shear_z = 5.0 / 6.0 };
static const carom_field general_fields[] = {
    REAL(carom_general_section_def, area, CAROM_DIM_AREA, CAROM_POSITIVE | CAROM_REQUIRED, "Area."),
    REAL(carom_general_section_def, inertia_y, CAROM_DIM_MOMENT_OF_AREA, CAROM_POSITIVE | CAROM_REQUIRED,
         "Second moment of area about the local y axis."),
    REAL(carom_general_section_def, inertia_z, CAROM_DIM_MOMENT_OF_AREA, CAROM_POSITIVE | CAROM_REQUIRED,
         "Second moment of area about the local z axis."),
    REAL(carom_general_section_def, torsion, CAROM_DIM_MOMENT_OF_AREA, CAROM_POSITIVE | CAROM_REQUIRED,
         "Torsion constant: torque is shear modulus times this times twist."),
    REAL(carom_general_section_def, shear_y, CAROM_DIM_NONE, CAROM_POSITIVE,
         "Share of the area that carries shear along the local y axis."),
    REAL(carom_general_section_def, shear_z, CAROM_DIM_NONE, CAROM_POSITIVE,
         "Share of the area that carries shear along the local z axis."),
    { 0 },
};

static const carom_kind section_round = KIND(carom_round_section_def, "round", round, "A circle, or a tube.");
static const carom_kind section_rectangle = KIND(carom_rectangle_section_def, "rectangle", rectangle, "A rectangle.");
static const carom_kind section_general = KIND(carom_general_section_def, "general", general,
                                               "Any cross section, by its numbers.");

static const carom_kind *const section_kinds[] = { &section_round, &section_rectangle, &section_general, NULL };

const carom_kind *const *carom_section_kinds(void)
{
    return section_kinds;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

static const carom_group_nodes_def group_defaults = { 0 };
static const carom_field group_fields[] = {
    FIELD(
        carom_group_nodes_def, group, "group", CAROM_FIELD_TEXT, CAROM_DIM_NONE, CAROM_REQUIRED | CAROM_SHORTHAND,
        "Name of a group of the mesh: a physical group of a file; x_min, x_max, y_min, ... of a mesh that is made."),
    { 0 },
};

static const carom_box_nodes_def box_defaults = { 0 };
static const carom_field box_fields[] = {
    FIELD(carom_box_nodes_def, low, "low", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH, CAROM_REQUIRED, "Lowest corner."),
    FIELD(carom_box_nodes_def, high, "high", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH, CAROM_REQUIRED, "Highest corner."),
    { 0 },
};

static const carom_place_nodes_def place_defaults = { 0 };
static const carom_field place_fields[] = {
    FIELD(carom_place_nodes_def, position, "position", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH,
          CAROM_REQUIRED | CAROM_SHORTHAND, "Where the node is, in the frame of the body."),
    { 0 },
};

static const carom_kind nodes_group = KIND(carom_group_nodes_def, "group", group,
                                           "The nodes of a group of the mesh.");
static const carom_kind nodes_box = KIND(carom_box_nodes_def, "box", box,
                                         "The nodes inside a box, given in the frame of the body.");
static const carom_kind nodes_place = KIND(carom_place_nodes_def, "at", place, "The one node at a place.");

static const carom_kind *const node_kinds[] = { &nodes_group, &nodes_box, &nodes_place, NULL };

const carom_kind *const *carom_node_choice_kinds(void)
{
    return node_kinds;
}

/* ---- the body ------------------------------------------------------------------------------------------------ */

static_assert(sizeof(carom_attachment_rule) == sizeof(int) && sizeof(carom_flexible_as) == sizeof(int) &&
                  sizeof(carom_flexible_frame) == sizeof(int) && sizeof(carom_flexible_plane) == sizeof(int) &&
                  sizeof(carom_flexible_rotation) == sizeof(int) && sizeof(carom_flexible_initial) == sizeof(int),
              "field tables read and write an int");
static const char *const rule_names[] = { "rigid", "average", NULL };
static const char *const as_names[] = { "modes", "nodes", "zone", NULL };
static const char *const frame_names[] = { "mean", "chord", "attachment", NULL };
static const char *const plane_names[] = { "stress", "strain", "axisymmetric", NULL };
static const char *const rotation_names[] = { "body", "element", NULL };
static const char *const initial_names[] = { "undeformed", "static", NULL };

#define ENUM(type, member, list, sentence)                                                                          \
    {                                                                                                               \
        .name = #member, .kind = CAROM_FIELD_ENUM, .offset = offsetof(type, member), .names = list, .doc = sentence \
    }

static const carom_field attachment_fields[] = {
    { .name = "nodes",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(carom_flexible_attachment_def, nodes),
      .kinds = node_kinds,
      .flags = CAROM_REQUIRED,
      .doc =
          "Which nodes: {\"group\": \"x_min\"}, {\"box\": {\"low\": [...], \"high\": [...]}} or {\"at\": [...]}." },
    FIELD(carom_flexible_attachment_def, name, "name", CAROM_FIELD_TEXT, CAROM_DIM_NONE, CAROM_REQUIRED,
          "What messages call it."),
    ENUM(
        carom_flexible_attachment_def, as, rule_names,
        "rigid: the nodes move together as a rigid body; average: what is attached follows the mean of their motion, "
        "and loads are spread over them."),
    { 0 },
};
static const carom_flexible_attachment_def attachment_defaults = { 0 };

static const carom_field probe_fields[] = {
    FIELD(carom_probe_def, name, "name", CAROM_FIELD_TEXT, CAROM_DIM_NONE, CAROM_REQUIRED,
          "What signals call it: `body.name.displacement.x`."),
    FIELD(carom_probe_def, at, "at", CAROM_FIELD_VECTOR, CAROM_DIM_LENGTH, CAROM_REQUIRED,
          "Where it sits in the undeformed body, in the frame of the body."),
    { .name = "along",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_probe_def, along),
      .min_count = 3,
      .max_count = 3,
      .doc = "Direction of a strain gauge, whose signal is `body.name.strain`; no gauge unless given." },
    { 0 },
};
static const carom_probe_def probe_defaults = { 0 };

static const carom_field modes_fields[] = {
    FIELD(carom_modes_def, count, "count", CAROM_FIELD_INT, CAROM_DIM_NONE, CAROM_NONNEGATIVE,
          "How many modes of vibration, with all rigid attachments held; without attachments, of the free body."),
    REAL(carom_modes_def, up_to, CAROM_DIM_FREQUENCY, CAROM_NONNEGATIVE,
         "All modes below this frequency (in Hz where time is in seconds), instead of `count`."),
    { 0 },
};

static const carom_field damping_fields[] = {
    REAL(carom_flexible_damping_def, stiffness, CAROM_DIM_TIME, CAROM_NONNEGATIVE,
         "Damping over stiffness: high modes are damped most."),
    REAL(carom_flexible_damping_def, ratio, CAROM_DIM_NONE, CAROM_NONNEGATIVE,
         "Share of critical damping, the same for every mode."),
    { 0 },
};

static const carom_flexible_def flexible_defaults = {
    .up = { 0.0, 1.0, 0.0 },
    .modes = { .count = 10 },
};

static const carom_field flexible_fields[] = {
    { .name = "mesh",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(carom_flexible_def, mesh),
      .kinds = mesh_kinds,
      .flags = CAROM_REQUIRED,
      .doc =
          "The mesh: {\"file\": \"part.msh\"}, or one that is made, e.g. {\"beam\": {\"length\": 1, \"count\": 20}}." },
    FIELD(
        carom_flexible_def, element, "element", CAROM_FIELD_TEXT, CAROM_DIM_NONE, 0,
        "Kind of finite element: bar, euler-beam, euler-beam-planar, timoshenko-beam, timoshenko-beam-planar, quad4, "
        "triangle6, tetrahedron4, tetrahedron10, hexahedron8. By default the usual one for the cells of the mesh."),
    { .name = "section",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(carom_flexible_def, section),
      .kinds = section_kinds,
      .doc = "Cross section of bars and beams, e.g. {\"round\": 0.003}." },
    FIELD(carom_flexible_def, up, "up", CAROM_FIELD_VECTOR, CAROM_DIM_NONE, 0,
          "A direction across beams: their local y axis lies in its plane with the beam, local z is across both."),
    LENGTH(carom_flexible_def, thickness, CAROM_POSITIVE, "Thickness of plane elements along z."),
    ENUM(carom_flexible_def, plane, plane_names,
         "What happens across plane elements: no stress, no strain, or a turn around the y axis."),
    ENUM(
        carom_flexible_def, as, as_names,
        "What takes part in the motion: a frame with a few modes of deformation; every node; modes with nodes in the "
        "zone of contact."),
    { .name = "modes",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_flexible_def, modes),
      .fields = modes_fields,
      .size = sizeof(carom_modes_def),
      .doc = "How many modes: {\"count\": 10} or {\"up_to\": 5000}." },
    ENUM(carom_flexible_def, frame, frame_names,
         "What the frame follows: the mean motion of the mass; the line from the first attachment to the second; the "
         "first attachment."),
    { .name = "attachments",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_flexible_def, attachments),
      .fields = attachment_fields,
      .item_defaults = &attachment_defaults,
      .size = sizeof(carom_flexible_attachment_def),
      .doc = "Where joints and forces act on the body." },
    { .name = "zone",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(carom_flexible_def, zone),
      .kinds = node_kinds,
      .doc = "Nodes that move by themselves where the body is modes elsewhere, for `\"as\": \"zone\"`." },
    { .name = "damping",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_flexible_def, damping),
      .fields = damping_fields,
      .size = sizeof(carom_flexible_damping_def),
      .doc = "Damping of the material; none unless given." },
    { .name = "probes",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_flexible_def, probes),
      .fields = probe_fields,
      .item_defaults = &probe_defaults,
      .size = sizeof(carom_probe_def),
      .doc = "Places whose motion and strain are signals." },
    ENUM(
        carom_flexible_def, rotation, rotation_names,
        "For `\"as\": \"nodes\"`: whose rotation is taken out before strain is measured, the body's or each element's."),
    FIELD(
        carom_flexible_def, stiffening, "stiffening", CAROM_FIELD_BOOL, CAROM_DIM_NONE, 0,
        "True: bending shortens the body to second order, so that tension makes it stiffer and compression softer; for "
        "`modes`. Needed where it turns faster than about a tenth of its lowest frequency, or carries a tenth of "
        "its buckling load."),
    ENUM(
        carom_flexible_def, initial, initial_names,
        "Whether the body starts undeformed, or in the shape that its loads at the start give it, inertia and joints "
        "among them, so that it does not begin to vibrate; for `modes` and `zone`."),
    { 0 },
};

const carom_field *carom_flexible_fields(void)
{
    return flexible_fields;
}

carom_flexible_def carom_flexible_def_default(void)
{
    return flexible_defaults;
}
