/* Materials and bodies that deform, from definitions to a model: what counts, what is refused and how it is said. */
#include <dirent.h>
#include <unistd.h>

#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include "base/hash.h"
#include "elements/bodies/modes.h"
#include "model/model.h"

/* A scene with one beam between two ends, and what is put into it. */
typedef struct parts {
    const char *materials, *body, *flexible, *rest;
} parts;

static const char usual_materials[] = "\"steel\": {\"young\": 2e11, \"poisson\": 0.3, \"density\": 7800}";
static const char usual_flexible[] =
    "\"mesh\": {\"beam\": {\"length\": 1, \"count\": 6}}, \"section\": {\"round\": 0.01}, \"modes\": {\"count\": 3}, "
    "\"attachments\": [{\"name\": \"left\", \"nodes\": {\"group\": \"x_min\"}}, "
    "{\"name\": \"right\", \"nodes\": {\"at\": [0.5, 0, 0]}}]";

static carom_status compile_parts(parts p, carom_model **model, carom_error *err)
{
    char text[4096];
    carom_spec *spec = NULL;
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"materials\": {%s}, \"bodies\": [{\"name\": \"beam\", %s \"flexible\": {%s}}] %s}",
             p.materials ? p.materials : usual_materials, p.body ? p.body : "\"material\": \"steel\",",
             p.flexible ? p.flexible : usual_flexible, p.rest ? p.rest : "");
    *model = NULL;
    carom_status status = carom_scene_parse(text, strlen(text), "scene", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec); /* a model stands on its own */
    return status;
}

static void refused(parts p, const char *sentence)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_EQ(compile_parts(p, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    carom_model_destroy(model);
}

static carom_model *compiled(parts p)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(compile_parts(p, &model, &err), err);
    return model;
}

/* ---- what counts -------------------------------------------------------------------------------------------------------- */

TEST(flexible, mass_and_centre_come_from_the_mesh_and_not_from_shapes)
{
    carom_model *model = compiled((parts){
        .body = "\"material\": \"steel\", \"shape\": {\"box\": [9, 9, 9]},",
        .flexible =
            "\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [2, 2, 2], \"at\": [1, 2, 3]}}" });
    const carom_body_info info = carom_model_body(model, 1);
    const carom_flexible_info about = carom_model_flexible(model, 1);
    CHECK_NEAR(info.mass, 7800.0 * 6e-3, 1e-9);
    CHECK_NEAR(info.center_of_mass.x, 1.0, 1e-12);
    CHECK_NEAR(info.center_of_mass.y, 2.0, 1e-12);
    CHECK_NEAR(info.center_of_mass.z, 3.0, 1e-12);
    CHECK_TEXT(about.kind, "modes");
    CHECK_EQ(about.node_count, 27);
    CHECK_EQ(about.element_count, 8);
    CHECK_EQ(about.freedom_count, 81);
    CHECK_EQ(about.coordinate_count, 10);
    CHECK(about.lowest > 0.0 && about.highest > about.lowest);
    carom_model_destroy(model);
}

/* A density of the table serves rigid shapes that have none: of the shape's material, else of the body's. */
TEST(flexible, materials_give_rigid_shapes_their_density)
{
    static const char scene[] =
        "{\"carom\": 1, \"materials\": {\"steel\": {\"density\": 7800}, \"wood\": {\"density\": 600}}, \"bodies\": ["
        "{\"name\": \"a\", \"material\": \"steel\", \"shapes\": [{\"box\": [1, 1, 1]}, {\"box\": [1, 1, 1], \"material\": \"wood\"}]},"
        "{\"name\": \"b\", \"material\": \"steel\", \"density\": 100, \"shape\": {\"box\": [1, 1, 1]}},"
        "{\"name\": \"c\", \"material\": \"felt\", \"density\": 50, \"shape\": {\"box\": [1, 1, 1]}}]}";
    sim s = sim_parse(scene, NULL);
    CHECK_NEAR(carom_model_body(s.model, 1).mass, 8400.0, 1e-9);
    CHECK_NEAR(carom_model_body(s.model, 2).mass, 100.0, 1e-9);
    CHECK_NEAR(carom_model_body(s.model, 3).mass, 50.0, 1e-9);
    sim_end(&s);
}

/* A checkpoint fits its model alone: mesh, material and options count. */
TEST(flexible, the_hash_of_a_model_knows_mesh_and_material)
{
    const parts others[] = {
        { 0 },
        { .materials = "\"steel\": {\"young\": 2.1e11, \"poisson\": 0.3, \"density\": 7800}" },
        { .flexible = "\"mesh\": {\"beam\": {\"length\": 1, \"count\": 7}}, \"section\": {\"round\": 0.01}" },
        { .flexible = "\"mesh\": {\"beam\": {\"length\": 1, \"count\": 7}}, \"section\": {\"round\": 0.01}, "
                      "\"damping\": {\"ratio\": 0.1}" },
    };
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i) {
        carom_model *model = compiled(others[i]);
        carom_model *again = compiled(others[i]);
        hashes[i] = model->hash;
        CHECK(model->hash == again->hash);
        for (int k = 0; k < i; ++k) {
            CHECK(hashes[k] != hashes[i]);
        }
        carom_model_destroy(model);
        carom_model_destroy(again);
    }
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

/* A block of Gmsh that is held at one of its physical groups. */
TEST(flexible, meshes_and_groups_come_from_gmsh_files)
{
    char text[2048];
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"materials\": {%s}, \"bodies\": [{\"name\": \"block\", \"material\": \"steel\", \"flexible\": {"
        "\"mesh\": {\"file\": {\"file\": \"%s/tests/unit/mesh_files/gmsh/block10_41.msh\", \"scale\": 0.1}}, "
        "\"attachments\": [{\"name\": \"foot\", \"nodes\": {\"group\": \"bottom\"}}], \"modes\": {\"count\": 4}}}]}",
        usual_materials, root ? root : ".");
    CHECK_OK(carom_scene_parse(text, strlen(text), "scene", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    CHECK_EQ(carom_model_flexible(model, 1).coordinate_count, 4);
    CHECK(carom_model_flexible(model, 1).element_count > 0);
    CHECK_NEAR(carom_model_body(model, 1).mass, 7800.0 * 2e-3, 1e-9);
    carom_spec_destroy(spec);
    carom_model_destroy(model);
}

/* ---- what is kept ------------------------------------------------------------------------------------------------------- */

static const char large[] =
    "\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1], \"divisions\": [10, 9, 9]}}, \"modes\": {\"count\": 3}, "
    "\"attachments\": [{\"name\": \"left\", \"nodes\": {\"group\": \"x_min\"}}]";

/* The only file of a folder; false: there are none, or several. */
static bool only_file(const char *folder, char *path, size_t size)
{
    int count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (entry->d_name[0] != '.') {
            snprintf(path, size, "%s/%s", folder, entry->d_name);
            ++count;
        }
    }
    if (listing) {
        closedir(listing);
    }
    return count == 1;
}

static uint64_t bits_of(const carom_model *model)
{
    const modal_body *b = model->bodies[1].params;
    size_t n = (size_t)b->count;
    uint64_t hash = carom_hash(CAROM_HASH_START, b->omega2, n * sizeof *b->omega2);
    hash = carom_hash(hash, b->P, (size_t)(b->axes * b->axes) * n * n * sizeof *b->P);
    hash = carom_hash(hash, b->places[0].psi, 6 * n * sizeof *b->places[0].psi);
    return carom_hash(hash, b->shapes, 3 * n * (size_t)b->node_count * sizeof *b->shapes);
}

/* A file that is whole and says what cannot be: one of its numbers is none, or an index beyond all. */
static void forge(const char *path, size_t number, double value)
{
    enum { HEAD = 56, SUM_AT = 48, MOST = 1 << 22 };
    unsigned char *data = malloc(MOST);
    FILE *file = fopen(path, "r+b");
    CHECK(data != NULL && file != NULL);
    size_t size = fread(data, 1, MOST, file);
    CHECK(size > HEAD + (number + 1) * sizeof value && size < MOST);
    memcpy(data + HEAD + number * sizeof value, &value, sizeof value);
    uint64_t sum = carom_hash_words(CAROM_HASH_START, data + HEAD, (size - HEAD) / sizeof value);
    memcpy(data + SUM_AT, &sum, sizeof sum);
    rewind(file);
    CHECK_EQ(fwrite(data, 1, size, file), size);
    fclose(file);
    free(data);
}

/* Shapes of a large mesh come from a file the second time, with the same bits; a file that is damaged is made again. */
TEST(flexible, shapes_of_large_meshes_are_kept)
{
    char folder[] = "modes-cache-XXXXXX", path[300], other[300];
    CHECK(mkdtemp(folder) != NULL);
    CHECK_EQ(setenv("CAROM_CACHE", folder, 1), 0);
    carom_model *first = compiled((parts){ .flexible = large });
    CHECK(only_file(folder, path, sizeof path));
    CHECK_CONTAINS(path, "modes-");
    carom_model *second = compiled((parts){ .flexible = large });
    CHECK(bits_of(first) == bits_of(second));
    CHECK(first->hash == second->hash);
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL && fseek(file, 5000, SEEK_SET) == 0 && fputc(0x55, file) != EOF && fputc(0xaa, file) != EOF);
    fclose(file);
    carom_model *third = compiled((parts){ .flexible = large });
    CHECK(bits_of(first) == bits_of(third));
    CHECK(only_file(folder, other, sizeof other));
    const modal_body *b = first->bodies[1].params;
    const size_t shapes = 2 * (size_t)b->count +
                          (size_t)b->count * (size_t)b->freedom_count; /* behind them: sources */
    const struct {
        size_t number;
        double value;
    } lies[] = { { 0, (double)NAN }, { shapes, 77.0 }, { shapes, -1e300 }, { shapes + 1, 1e6 } };
    for (size_t k = 0; k < sizeof lies / sizeof *lies; ++k) {
        forge(path, lies[k].number, lies[k].value);
        carom_model *again = compiled((parts){ .flexible = large });
        CHECK(bits_of(first) == bits_of(again));
        carom_model_destroy(again);
    }
    carom_model_destroy(first);
    carom_model_destroy(second);
    carom_model_destroy(third);
    CHECK_EQ(unlink(other), 0);
    carom_model *small = compiled((parts){ 0 });
    CHECK(!only_file(folder, other, sizeof other)); /* what is quick is not kept */
    carom_model_destroy(small);
    CHECK_EQ(rmdir(folder), 0);
    unsetenv("CAROM_CACHE");
}

/* ---- what is refused ------------------------------------------------------------------------------------------------------- */

TEST(flexible, materials_that_are_missing_or_impossible_are_refused)
{
    refused((parts){ .body = "" }, "body 'beam' deforms and has no 'material'");
    refused((parts){ .body = "\"material\": \"iron\"," }, "its material 'iron' is not among the scene's 'materials'");
    refused((parts){ .materials = "\"steel\": {\"density\": 7800}" }, "its material 'steel' has no 'young'");
    refused((parts){ .materials = "\"steel\": {\"young\": 2e11}" }, "its material 'steel' has no 'density'");
    refused((parts){ .materials = "\"steel\": {\"young\": 2e11, \"poisson\": 0.5, \"density\": 7800}" },
            "'poisson' of the material 'steel' is 0.5");
}

static void material_numbers(char *out, size_t size, double young, double poisson, double density)
{
    snprintf(out, size, "\"steel\": {\"young\": %.17g, \"poisson\": %.17g, \"density\": %.17g}", young, poisson,
             density);
}

static void material_refused(double young, double poisson, double density, const char *sentence)
{
    char text[200];
    material_numbers(text, sizeof text, young, poisson, density);
    refused((parts){ .materials = text }, sentence);
}

static void material_taken(double young, double poisson, double density)
{
    char text[200];
    material_numbers(text, sizeof text, young, poisson, density);
    carom_model_destroy(compiled((parts){ .materials = text }));
}

/* Both sides of every limit. Sound is slower than light and faster than a micrometre per second. */
TEST(flexible, limits_of_materials)
{
    const double light = 299792458.0;
    material_taken(2e11, 0.4999, 7800);
    material_refused(2e11, 0.5, 7800, "must be above -1 and below 0.5");
    material_taken(2e11, -0.999, 7800);
    material_refused(2e11, -1.0, 7800, "must be above -1 and below 0.5");
    material_taken(0.999 * light * light, 0.3, 1.0);
    material_refused(1.001 * light * light, 0.3, 1.0, "check their units");
    material_taken(1.001e-12, 0.3, 1.0);
    material_refused(0.999e-12, 0.3, 1.0, "would run at 9.99e-07 m/s (young 9.99e-13 Pa, density 1 kg/m^3");
    material_refused(2e11, 0.3, 1e-300, "would run at inf m/s");
    material_refused(1e-300, 0.3, 7800, "check their units");
    material_refused(-1.0, 0.3, 7800, "it must not be negative");
    material_refused(2e11, 0.3, -1.0, "it must not be negative");
    material_refused(2e11, 0.3, 0.0, "has no 'density'");
    material_refused(0.0, 0.3, 7800, "has no 'young'");
    material_taken(1e99, 0.3, 1e90);
    material_refused(1.001e100, 0.3, 1e90, "is too large; numbers up to 1e100 are allowed");
    material_refused(1e300, 0.3, 1e300, "is too large; numbers up to 1e100 are allowed");
}

static void nodes_taken(const char *made)
{
    char text[400];
    snprintf(text, sizeof text, "\"as\": \"nodes\", \"thickness\": 0.01, \"mesh\": %s", made);
    carom_model_destroy(compiled((parts){ .flexible = text, .rest = ", \"contact\": {\"method\": \"constraint\"}" }));
}

static void nodes_refused(const char *made, const char *sentence)
{
    char text[400];
    snprintf(text, sizeof text, "\"as\": \"nodes\", \"thickness\": 0.01, \"mesh\": %s", made);
    refused((parts){ .flexible = text, .rest = ", \"contact\": {\"method\": \"constraint\"}" }, sentence);
}

TEST(flexible, limits_of_meshes_that_are_made)
{
#define ANVIL(rest) "{\"anvil\": {\"length\": 0.1, \"height\": 0.1, \"size\": 0.01, " rest "}}"
#define FINGER(rest) "{\"finger\": {\"length\": 0.1, \"width\": 0.02, \"size\": 0.01, " rest "}}"
    nodes_taken(ANVIL("\"fine\": 0.005, \"growth\": 1"));
    nodes_refused(ANVIL("\"fine\": 0.005, \"growth\": 0.999"), "'growth' of the mesh is 0.999");
    nodes_refused(ANVIL("\"fine\": 0.0101"), "larger than 'size'");
    nodes_refused(ANVIL("\"fine\": 1e-300"), "take a larger 'size' or 'fine'");
    nodes_refused(ANVIL("\"fine\": 1e-6, \"growth\": 1"), "cells; at most");
    nodes_taken(FINGER("\"fine\": 0.005, \"growth\": 1"));
    nodes_refused(FINGER("\"fine\": 0.005, \"growth\": 0.5"), "'growth' of the mesh is 0.5");
    nodes_refused(FINGER("\"fine\": 1e-300"), "take a larger 'size' or 'fine'");
#undef ANVIL
#undef FINGER
#define BLOCK(numbers) "{\"block\": {\"size\": [0.1, 0.1, 0.1], " numbers "}}"
    nodes_taken(BLOCK("\"divisions\": [2, 1, 1], \"grading\": [1e6]"));
    nodes_refused(BLOCK("\"divisions\": [2, 1, 1], \"grading\": [1e8]"), "is flat or inside out");
    nodes_refused(BLOCK("\"divisions\": [1e9, 1, 1]"), "a whole number from 1 to");
    nodes_refused(BLOCK("\"divisions\": [1300, 1300, 1300]"), "use fewer cells");
    nodes_refused("{\"block\": {\"size\": [1, 1, 1e-8], \"divisions\": [1, 1, 1]}}", "is flat or inside out");
    nodes_taken("{\"block\": {\"size\": [1, 1, 1e-6], \"divisions\": [1, 1, 1]}}");
#undef BLOCK
    nodes_taken("{\"disc\": {\"radius\": 1, \"patch\": 1, \"fine\": 0.5}}");
    nodes_refused("{\"disc\": {\"radius\": 1, \"patch\": 1.01, \"fine\": 0.5}}", "must not reach further");
}

/* Several pieces, and cells that Gmsh lists in several groups. */
static void write_cubes(const char *path, double second, int cells)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n16\n");
    for (int i = 0; i < 16; ++i) {
        int k = i % 8;
        fprintf(file, "%d %g %d %d\n", i + 1, (k % 4 == 1 || k % 4 == 2) + (i < 8 ? 0.0 : second), k % 4 > 1, k > 3);
    }
    fprintf(file, "$EndNodes\n$Elements\n%d\n", cells);
    for (int c = 0; c < cells; ++c) {
        fprintf(file, "%d 5 2 1 1", c + 1);
        for (int i = 0; i < 8; ++i) {
            fprintf(file, " %d", 8 * c + i + 1);
        }
        fprintf(file, "\n");
    }
    fprintf(file, "$EndElements\n");
    fclose(file);
}

TEST(flexible, meshes_in_pieces_are_refused_by_every_kind)
{
    char folder[] = "/tmp/carom-pieces-XXXXXX";
    char path[64], text[300];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/two.msh", folder);
    for (int method = 0; method < 2; ++method) {
        for (int apart = 0; apart < 2; ++apart) { /* nodes that coincide are not one node */
            write_cubes(path, apart ? 3.0 : 1.0, 2);
            snprintf(text, sizeof text, "%s, \"mesh\": {\"file\": \"%s\"}",
                     method == 0 ? "\"modes\": {\"count\": 3}" : "\"as\": \"nodes\"", path);
            refused((parts){ .flexible = text,
                             .rest = method == 0 ? "" : ", \"contact\": {\"method\": \"constraint\"}" },
                    "the mesh falls apart: nothing connects node 0 at (0, 0, 0) m with node 8 at");
        }
    }
    unlink(path);
    rmdir(folder);
}

TEST(flexible, what_the_mesh_decides_cannot_be_given)
{
    refused((parts){ .body = "\"material\": \"steel\", \"mass\": 3," }, "body 'beam' is 'flexible' and gives 'mass'");
    refused((parts){ .body = "\"material\": \"steel\", \"inertia\": [1, 1, 1]," }, "gives 'inertia'");
    refused((parts){ .body = "\"material\": \"steel\", \"density\": 3," }, "gives 'density'");
    refused((parts){ .body = "\"material\": \"steel\", \"fixed\": true," }, "does not move freely");
}

TEST(flexible, meshes_and_kinds_that_cannot_be_are_refused)
{
    refused((parts){ .flexible = "\"mesh\": {\"beam\": {\"length\": 1}}" }, "bars and beams need a 'section'");
    refused((parts){ .flexible = "\"mesh\": {\"strip\": {\"length\": 1, \"height\": 1, \"divisions\": [2, 2]}}" },
            "plane elements need a 'thickness'");
    refused((parts){ .flexible = "\"mesh\": {\"strip\": {\"length\": 1, \"height\": 1, \"divisions\": [2.5, 2]}}, "
                                 "\"thickness\": 1" },
            "'divisions' of the mesh has 2.5");
    refused((parts){ .flexible = "\"mesh\": {\"rod\": {\"radius\": 1, \"length\": 1, \"divisions\": [2, 2]}}" },
            "axisymmetric elements move along their axis only");
    refused(
        (parts){
            .flexible = "\"mesh\": {\"beam\": {\"length\": 1}}, \"section\": {\"round\": 1}, \"element\": \"beem\"" },
        "unknown 'element' 'beem'; there are: bar,");
    refused((parts){ .flexible = "\"mesh\": {\"ring\": {}}" }, "unknown mesh 'ring'");
}

TEST(flexible, methods_that_know_rigid_bodies_only_say_what_to_take)
{
    static const char *const methods[] = { "impact", "barrier" };
    for (int k = 0; k < 2; ++k) {
        char rest[128];
        snprintf(rest, sizeof rest, ", \"contact\": {\"method\": \"%s\"}", methods[k]);
        refused((parts){ .rest = rest },
                "knows rigid bodies only; take the method 'none' or 'compliant' or 'constraint'");
    }
}

TEST(flexible, compliant_meets_their_surfaces_by_points)
{
    refused((parts){ .rest = ", \"contact\": {\"method\": \"compliant\", \"features\": \"edges\"}" },
            "surfaces of bodies that deform are met by points only");
    refused((parts){ .rest = ", \"contact\": {\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e5}}, "
                             "\"pairs\": [{\"between\": [\"bean\", \"*\"], \"ignore\": true}]}" },
            "no body and no material that takes part in contact is called 'bean'; did you mean 'beam'?");
    carom_model *model = compiled((parts){
        .rest = ", \"contact\": {\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e5}}, \"pairs\": "
                "[{\"between\": [\"beam\", \"steel\"], \"ignore\": true}]}" });
    CHECK(carom_model_flexible(model, 1).facet_count > 0);
    carom_model_destroy(model);
}

TEST(flexible, joints_sit_on_attachments)
{
    refused(
        (parts){
            .rest = ", \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"beam\"], "
                    "\"at\": [0.1, 0, 0]}]" },
        "the nearest, 'right', has its middle at (0.5, 0, 0) m");
    carom_model_destroy(compiled((parts){
        .rest = ", \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": "
                "[\"ground\", \"beam\"], \"at\": [0.5, 0, 0]}]" }));
}

/* Tension stiffens what turns fast: told, unless the body follows it. */
TEST(flexible, bodies_that_turn_fast_are_warned_of)
{
    const carom_note *notes = NULL;
    carom_model *model = compiled((parts){ .body = "\"material\": \"steel\", \"angular_velocity\": [0, 0, 200]," });
    CHECK_EQ(carom_model_notes(model, &notes), 1);
    CHECK(notes[0].warning);
    CHECK_CONTAINS(notes[0].message, "body 'beam' starts turning at 200 rad/s, and its lowest frequency is");
    CHECK_TEXT(notes[0].path, "bodies[0].flexible");
    carom_model_destroy(model);
    char with[1024];
    snprintf(with, sizeof with, "%s, \"stiffening\": true", usual_flexible);
    model = compiled((parts){ .body = "\"material\": \"steel\", \"angular_velocity\": [0, 0, 200],",
                              .flexible = with });
    CHECK_EQ(carom_model_notes(model, &notes), 0);
    carom_model_destroy(model);
}

/* ---- signals ---------------------------------------------------------------------------------------------------------------- */

TEST(flexible, signals_of_probes_are_known_by_name)
{
    static const char with_probe[] =
        "\"mesh\": {\"beam\": {\"length\": 1, \"count\": 6}}, \"section\": {\"round\": 0.01}, "
        "\"probes\": [{\"name\": \"tip\", \"at\": [0.5, 0, 0]}, {\"name\": \"gauge\", \"at\": [0, 0.01, 0], \"along\": [1, 0, 0]}]";
    refused((parts){ .flexible = with_probe, .rest = ", \"record\": {\"signals\": [\"beam.tip.strain\"]}" },
            "energy.strain, tip.displacement.x, gauge.displacement.x, gauge.strain");
    refused((parts){ .flexible = with_probe, .rest = ", \"record\": {\"signals\": [\"beam.top.velocity.x\"]}" },
            "no signal 'beam.top.velocity.x'");
    carom_model_destroy(compiled((parts){
        .flexible = with_probe,
        .rest =
            ", \"record\": {\"signals\": [\"beam.tip.velocity.z\", \"beam.tip.position.x\", \"beam.gauge.strain\", "
            "\"beam.energy.strain\", \"beam.deformation.10\"]}" }));
}

/* A probe moves as the frame does while nothing deforms, and a gauge shows no strain. */
TEST(flexible, probes_follow_the_frame)
{
    sim s = sim_start(scene_read("flexible/swing.json", NULL), 1);
    CHECK_NEAR(sim_signal(&s, "strip.middle.position.x"), 0.25, 1e-14);
    CHECK_NEAR(sim_signal(&s, "strip.middle.displacement.y"), 0.0, 1e-14);
    sim_advance(&s, 0.05);
    const double y = sim_signal(&s, "strip.middle.position.y");
    const double v = sim_signal(&s, "strip.middle.velocity.y");
    const double t = sim_time(&s);
    sim_advance(&s, 0.0501);
    CHECK_NEAR((sim_signal(&s, "strip.middle.position.y") - y) / (sim_time(&s) - t),
               0.5 * (v + sim_signal(&s, "strip.middle.velocity.y")), 1e-5);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(flexible, mass_and_centre_come_from_the_mesh_and_not_from_shapes),
        RUN_TEST(flexible, materials_give_rigid_shapes_their_density),
        RUN_TEST(flexible, the_hash_of_a_model_knows_mesh_and_material),
        RUN_TEST(flexible, meshes_and_groups_come_from_gmsh_files),
        RUN_TEST(flexible, shapes_of_large_meshes_are_kept),
        RUN_TEST(flexible, materials_that_are_missing_or_impossible_are_refused),
        RUN_TEST(flexible, limits_of_materials),
        RUN_TEST(flexible, limits_of_meshes_that_are_made),
        RUN_TEST(flexible, meshes_in_pieces_are_refused_by_every_kind),
        RUN_TEST(flexible, what_the_mesh_decides_cannot_be_given),
        RUN_TEST(flexible, meshes_and_kinds_that_cannot_be_are_refused),
        RUN_TEST(flexible, methods_that_know_rigid_bodies_only_say_what_to_take),
        RUN_TEST(flexible, compliant_meets_their_surfaces_by_points),
        RUN_TEST(flexible, joints_sit_on_attachments),
        RUN_TEST(flexible, bodies_that_turn_fast_are_warned_of),
        RUN_TEST(flexible, signals_of_probes_are_known_by_name),
        RUN_TEST(flexible, probes_follow_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
