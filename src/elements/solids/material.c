/* Field tables of the material that finite elements are made of: one table for each set of numbers that kinds use. */
#include <stddef.h>

#include "elements/solids/solid.h"

#define NUMBER(member, spelled, sign, dim, sentence)                                                          \
    {                                                                                                         \
        .name = spelled, .kind = CAROM_FIELD_REAL, .offset = offsetof(solid_material, member), .flags = sign, \
        .dimension = dim, .doc = sentence                                                                     \
    }

#define YOUNG NUMBER(young, "young", CAROM_POSITIVE, CAROM_DIM_PRESSURE, "Young's modulus.")
#define POISSON NUMBER(poisson, "poisson", 0, CAROM_DIM_NONE, "Poisson's ratio, above -1 and below 0.5.")
#define MASS_DENSITY NUMBER(density, "density", CAROM_POSITIVE, CAROM_DIM_DENSITY, "Mass per volume.")
#define SECTION_AREA NUMBER(section.area, "area", CAROM_POSITIVE, CAROM_DIM_AREA, "Area of the cross section.")
#define INERTIA_Y                                                                    \
    NUMBER(section.inertia_y, "inertia_y", CAROM_POSITIVE, CAROM_DIM_MOMENT_OF_AREA, \
           "Second moment of area about the local y axis.")
#define INERTIA_Z                                                                    \
    NUMBER(section.inertia_z, "inertia_z", CAROM_POSITIVE, CAROM_DIM_MOMENT_OF_AREA, \
           "Second moment of area about the local z axis.")
#define TORSION \
    NUMBER(section.torsion, "torsion", CAROM_POSITIVE, CAROM_DIM_MOMENT_OF_AREA, "Torsion constant of the section.")
#define SHEAR_Y                                                        \
    NUMBER(section.shear_y, "shear_y", CAROM_POSITIVE, CAROM_DIM_NONE, \
           "Share of the area that carries shear along the local y axis; 5/6 by default.")
#define SHEAR_Z                                                        \
    NUMBER(section.shear_z, "shear_z", CAROM_POSITIVE, CAROM_DIM_NONE, \
           "Share of the area that carries shear along the local z axis; 5/6 by default.")
#define UP                                                                                                         \
    {                                                                                                              \
        .name = "up", .kind = CAROM_FIELD_VECTOR, .offset = offsetof(solid_material, section.up),                  \
        .doc =                                                                                                     \
            "A direction across the beam: the local y axis lies in its plane with the beam; [0, 1, 0] by default." \
    }

static const char *const plane_names[] = { "stress", "strain", "axisymmetric", NULL };

const carom_field solid_bulk_fields[] = { YOUNG, POISSON, MASS_DENSITY, { 0 } };

const carom_field solid_plane_fields[] = {
    YOUNG,
    POISSON,
    MASS_DENSITY,
    { .name = "plane",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(solid_material, plane),
      .names = plane_names,
      .doc = "What happens across the plane: no stress (default), no strain, or a turn around the y axis." },
    NUMBER(thickness, "thickness", CAROM_POSITIVE, CAROM_DIM_LENGTH,
           "Thickness across the plane; 1 m by default, not used in axisymmetry."),
    { 0 },
};

const carom_field solid_bar_fields[] = { YOUNG, MASS_DENSITY, SECTION_AREA, { 0 } };
const carom_field solid_planar_beam_fields[] = { YOUNG, MASS_DENSITY, SECTION_AREA, INERTIA_Z, { 0 } };
const carom_field solid_planar_shear_fields[] = { YOUNG,     POISSON, MASS_DENSITY, SECTION_AREA,
                                                  INERTIA_Z, SHEAR_Y, { 0 } };
const carom_field solid_beam_fields[] = { YOUNG,     POISSON, MASS_DENSITY, SECTION_AREA, INERTIA_Y,
                                          INERTIA_Z, TORSION, UP,           { 0 } };
const carom_field solid_shear_fields[] = { YOUNG,   POISSON, MASS_DENSITY, SECTION_AREA, INERTIA_Y, INERTIA_Z,
                                           TORSION, SHEAR_Y, SHEAR_Z,      UP,           { 0 } };

const solid_material solid_material_default = {
    .thickness = 1.0,
    .plane = PLANE_STRESS,
    .section = { .shear_y = 5.0 / 6.0, .shear_z = 5.0 / 6.0, .up = { 0.0, 1.0, 0.0 } },
};
