/* Modes of a body that deforms: a table, and shapes on its mesh. */
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "files/output_folder.h"
#include "export/vtu.h"
#include "model/modes.h"

static const char *const patterns[] = { "modes.csv", "modes.vtu", "modes.html", NULL };

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for shapes");
}

/* ---- table ------------------------------------------------------------------------------------------------------------ */

static carom_status write_table(const carom_modes *m, const char *path, carom_export_report *report, carom_error *err)
{
    output_file out;
    carom_status status = output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    output_text(&out, "number,kind,frequency [Hz],effective mass x [kg],effective mass y [kg],effective mass z [kg],"
                      "largest strain per mm\n");
    for (int k = 0; k < m->count; ++k) {
        output_printf(&out, "%d,%s,", k + 1, m->modes[k].kind);
        output_number(&out, m->modes[k].frequency, 0);
        for (int a = 0; a < 3; ++a) {
            output_text(&out, ",");
            output_number(&out, m->modes[k].mass[a], 0);
        }
        output_text(&out, ",");
        output_number(&out, 1e-3 * carom_modes_strain(m, k), 0);
        output_text(&out, "\n");
    }
    return output_close(&out, CAROM_OK, report, err);
}

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

typedef struct shapes_file {
    carom_arena arena;
    float *points;
    int32_t *connectivity, *offsets;
    uint8_t *kinds;
    size_t corner_count;
    vtu_array *data;
} shapes_file;

static void add_cells(shapes_file *f, const carom_modes *m)
{
    for (int c = 0; c < m->cell_count; ++c) {
        const volume_cell *cell = &m->cells[c];
        for (int i = 0; i < cell_kind_nodes(cell->kind); ++i) {
            f->connectivity[f->corner_count++] = cell->nodes[i];
        }
        f->offsets[c] = (int32_t)f->corner_count;
        f->kinds[c] = vtu_kind_of_cell(cell->kind);
    }
}

/* The node that moves most moves by a tenth of the size of the body. */
static void add_shape(shapes_file *f, const carom_modes *m, int k)
{
    const double *u = m->shapes + 3 * (size_t)k * (size_t)m->node_count;
    float *data = CAROM_ARENA_ARRAY(&f->arena, float, 3 * (size_t)m->node_count);
    double most = 0.0;
    for (int i = 0; i < m->node_count; ++i) {
        most = fmax(most, v3_norm(v3_load(u + 3 * i)));
    }
    for (int i = 0; data && i < 3 * m->node_count; ++i) {
        data[i] = (float)(most > 0.0 ? 0.1 * m->size * u[i] / most : 0.0);
    }
    const char *name = carom_arena_printf(&f->arena, "%d %s %.6g Hz", k + 1, m->modes[k].kind, m->modes[k].frequency);
    f->data[k] = (vtu_array){ name, VTU_FLOAT32, 3, (size_t)m->node_count, data };
}

static carom_status write_shapes(const carom_modes *m, const char *path, carom_export_report *report,
                                 carom_error *err)
{
    shapes_file f = { 0 };
    size_t nodes = (size_t)m->node_count, cells = (size_t)m->cell_count;
    f.points = CAROM_ARENA_ARRAY(&f.arena, float, 3 * nodes + 1);
    f.connectivity = CAROM_ARENA_ARRAY(&f.arena, int32_t, CELL_NODES * cells + 1);
    f.offsets = CAROM_ARENA_ARRAY(&f.arena, int32_t, cells + 1);
    f.kinds = CAROM_ARENA_ARRAY(&f.arena, uint8_t, cells + 1);
    f.data = CAROM_ARENA_ARRAY(&f.arena, vtu_array, m->count + 1);
    for (int k = 0; k < m->count && !f.arena.failed; ++k) {
        add_shape(&f, m, k);
    }
    if (f.arena.failed) {
        carom_arena_free(&f.arena);
        return no_memory(err);
    }
    for (int i = 0; i < 3 * m->node_count; ++i) {
        f.points[i] = (float)v3_get(m->nodes[i / 3], i % 3);
    }
    add_cells(&f, m);
    const vtu_grid grid = { .point_count = nodes,
                            .cell_count = cells,
                            .points = { "Points", VTU_FLOAT32, 3, nodes, f.points },
                            .connectivity = { "connectivity", VTU_INT32, 1, f.corner_count, f.connectivity },
                            .offsets = { "offsets", VTU_INT32, 1, cells, f.offsets },
                            .types = { "types", VTU_UINT8, 1, cells, f.kinds },
                            .point_data = { f.data, (size_t)m->count } };
    carom_status status = vtu_write(path, &grid, report, err);
    carom_arena_free(&f.arena);
    return status;
}

carom_status carom_modes_export(const carom_modes *modes, const char *folder, carom_export_report *report,
                                carom_error *err)
{
    const argument needed[] = { { "modes", modes }, { "folder", folder } };
    carom_export_report own = { 0 };
    carom_export_report *told = report ? report : &own;
    char path[FILE_PATH];
    carom_status status = arguments_given("carom_modes_export", needed, 2, err);
    *told = (carom_export_report){ 0 };
    status = status == CAROM_OK ? output_folder_prepare(folder, patterns, err) : status;
    status = status == CAROM_OK ? file_path(path, folder, patterns[0], err) : status;
    status = status == CAROM_OK ? write_table(modes, path, told, err) : status;
    status = status == CAROM_OK ? file_path(path, folder, patterns[1], err) : status;
    return status == CAROM_OK ? write_shapes(modes, path, told, err) : status;
}
