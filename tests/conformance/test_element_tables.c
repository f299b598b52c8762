/* The field tables of joints, forces and finite elements: documented, inside their structs, with defaults that keep their own rules. */
#include "support/check.h"

#include "elements/forces/force.h"
#include "elements/joints/joint.h"
#include "elements/solids/solid.h"

static size_t bytes_of(const carom_field *f)
{
    switch (f->kind) {
    case CAROM_FIELD_BOOL:
        return sizeof(bool);
    case CAROM_FIELD_INT:
    case CAROM_FIELD_ENUM:
        return sizeof(int);
    case CAROM_FIELD_REAL:
        return sizeof(double);
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        return sizeof(const char *);
    case CAROM_FIELD_BODY_PAIR:
        return 2 * sizeof(const char *);
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        return sizeof(carom_v3);
    case CAROM_FIELD_ORIENTATION:
        return sizeof(carom_quat);
    case CAROM_FIELD_VALUE:
        return sizeof(carom_value);
    case CAROM_FIELD_VALUE3:
        return 3 * sizeof(carom_value);
    case CAROM_FIELD_CURVE:
        return sizeof(carom_curve);
    case CAROM_FIELD_REALS:
        return sizeof(carom_reals);
    case CAROM_FIELD_GROUP:
        return f->size;
    case CAROM_FIELD_LIST:
    case CAROM_FIELD_TEXTS:
        return sizeof(carom_list);
    case CAROM_FIELD_KIND:
        return sizeof(carom_choice);
    }
    return 0;
}

static void check_doc(const char *doc)
{
    CHECK(doc && strlen(doc) > 10);
    CHECK(doc[strlen(doc) - 1] == '.');
}

static void check_default(const carom_field *f, const unsigned char *defaults)
{
    const void *at = defaults + f->offset;
    if (f->kind == CAROM_FIELD_REAL && (f->flags & CAROM_NONNEGATIVE)) {
        CHECK(!(*(const double *)at < 0.0)); /* NAN: taken from the start */
    } else if (f->kind == CAROM_FIELD_ENUM) {
        int count = 0;
        while (f->names[count]) {
            ++count;
        }
        CHECK(*(const int *)at >= 0 && *(const int *)at < count);
    } else if (f->kind == CAROM_FIELD_DIRECTION) {
        const carom_v3 *n = at;
        CHECK_NEAR(n->x * n->x + n->y * n->y + n->z * n->z, 1.0, 1e-15);
    } else if (f->kind == CAROM_FIELD_ORIENTATION) {
        const carom_quat *q = at;
        CHECK_NEAR(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z, 1.0, 1e-15);
    } else if (f->kind == CAROM_FIELD_VALUE || f->kind == CAROM_FIELD_VALUE3) {
        const carom_value *value = at;
        for (int k = 0; k < (f->kind == CAROM_FIELD_VALUE3 ? 3 : 1); ++k) {
            CHECK_EQ(value[k].kind, CAROM_NUMBER);
            CHECK_NEAR(value[k].scale, 1.0, 0.0);
        }
    }
}

static void check_table(const carom_field *fields, size_t size, const void *defaults)
{
    CHECK(fields != NULL);
    for (const carom_field *f = fields; f->name; ++f) {
        check_doc(f->doc);
        CHECK(bytes_of(f) > 0 && f->offset + bytes_of(f) <= size);
        CHECK(defaults != NULL);
        check_default(f, defaults);
        for (const carom_field *other = fields; other != f; ++other) {
            CHECK(strcmp(other->name, f->name) != 0);
        }
        if (f->kind == CAROM_FIELD_GROUP) {
            check_table(f->fields, f->size, (const unsigned char *)defaults + f->offset);
        } else if (f->kind == CAROM_FIELD_LIST) {
            check_table(f->fields, f->size, f->item_defaults);
        }
    }
}

static void check_kinds(const carom_kind *const *kinds)
{
    for (const carom_kind *const *kind = kinds; *kind; ++kind) {
        check_doc((*kind)->doc);
        check_table((*kind)->fields, (*kind)->size, (*kind)->defaults);
    }
}

TEST(tables, of_every_joint_and_force_are_complete)
{
    TEST_UNUSED();
    check_kinds(carom_joint_kinds());
    check_kinds(carom_force_kinds());
}

TEST(tables, of_every_finite_element_are_complete)
{
    for (const solid_type *const *type = solid_types(); *type; ++type) {
        const carom_kind *const kinds[2] = { &(*type)->kind, NULL };
        check_kinds(kinds);
    }
}

TEST(tables, of_the_common_parts_are_complete)
{
    TEST_UNUSED();
    carom_joint_def joint = carom_joint_def_default();
    carom_force_def force = carom_force_def_default();
    check_table(carom_joint_fields(), sizeof joint, &joint);
    check_table(carom_force_fields(), sizeof force, &force);
    CHECK(!joint.attachment.frame_a.given && !joint.attachment.frame_b.given && !joint.friction.given);
}

static int value_count(const carom_field *fields)
{
    int count = 0;
    for (const carom_field *f = fields; f->name; ++f) {
        count += f->kind == CAROM_FIELD_VALUE ? 1 : f->kind == CAROM_FIELD_VALUE3 ? 3 : 0;
    }
    return count;
}

TEST(tables, of_forces_have_room_for_their_values_and_measures)
{
    TEST_UNUSED();
    for (const carom_kind *const *kind = carom_force_kinds(); *kind; ++kind) {
        const carom_force_type *type = carom_force_type_find((*kind)->name);
        CHECK_LE(value_count((*kind)->fields), FORCE_VALUES);
        CHECK_LE(type->measure_count, FORCE_MEASURES);
        CHECK_EQ(type->measure != NULL, type->measure_count > 0);
        CHECK(type->effect != NULL);
        CHECK(type->prepared_size == 0 || type->prepared_size >= type->kind.size);
    }
}

TEST(tables, of_joints_name_their_coordinates)
{
    TEST_UNUSED();
    for (const carom_kind *const *kind = carom_joint_kinds(); *kind; ++kind) {
        const carom_joint_type *type = carom_joint_type_find((*kind)->name);
        CHECK_EQ(type->residual != NULL, !type->couples_joints);
        CHECK_EQ(type->coordinate != NULL, type->coordinate_count > 0);
        for (int k = 0; k < type->coordinate_count; ++k) {
            CHECK(type->coordinates[k].name != NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(tables, of_every_joint_and_force_are_complete),
        RUN_TEST(tables, of_every_finite_element_are_complete),
        RUN_TEST(tables, of_the_common_parts_are_complete),
        RUN_TEST(tables, of_forces_have_room_for_their_values_and_measures),
        RUN_TEST(tables, of_joints_name_their_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
