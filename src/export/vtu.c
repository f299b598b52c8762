/* VTK XML unstructured grids, as described in "VTK XML Formats" of the VTK User's Guide: a header of tags, then all
 * arrays one after the other behind "_", each led by its length in bytes (UInt64).
 *
 * Texts are given as decimal character codes ending with 0, which is how VTK writes string arrays as text: so no name
 * can break the XML, whatever it holds. */
#include "export/vtu.h"

#include <string.h>

static const struct {
    const char *name;
    size_t size;
} types[] = { { "UInt8", 1 }, { "Int32", 4 }, { "Float32", 4 }, { "Float64", 8 } };

uint8_t vtu_kind_of_cell(cell_kind kind)
{
    static const uint8_t kinds[CELL_KINDS] = {
        [CELL_POINT] = VTU_VERTEX,       [CELL_LINE2] = 3,          [CELL_LINE3] = 21,
        [CELL_TRIANGLE3] = VTU_TRIANGLE, [CELL_TRIANGLE6] = 22,     [CELL_QUAD4] = 9,
        [CELL_TETRAHEDRON4] = 10,        [CELL_TETRAHEDRON10] = 24, [CELL_HEXAHEDRON8] = 12,
    };
    return kinds[kind];
}

static uint64_t bytes_of(const vtu_array *array)
{
    return (uint64_t)array->count * (uint64_t)array->components * types[array->type].size;
}

/* The tag of an array whose numbers begin at *offset of the appended data. */
static void put_tag(output_file *out, const vtu_array *array, bool field, uint64_t *offset)
{
    output_printf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" ", types[array->type].name,
                  array->name, array->components);
    if (field) {
        output_printf(out, "NumberOfTuples=\"%zu\" ", array->count);
    }
    output_printf(out, "format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes_of(array);
}

static void put_tags(output_file *out, const char *section, vtu_arrays arrays, uint64_t *offset)
{
    output_printf(out, "<%s>\n", section);
    for (size_t i = 0; i < arrays.count; ++i) {
        put_tag(out, &arrays.list[i], false, offset);
    }
    output_printf(out, "</%s>\n", section);
}

void vtu_add_codes(carom_text *codes, const char *name)
{
    for (const char *c = name; *c; ++c) {
        carom_text_add(codes, "%d ", (unsigned char)*c);
    }
    carom_text_add(codes, "0\n");
}

static void put_names(output_file *out, const vtu_grid *grid)
{
    output_printf(out, "<Array type=\"String\" Name=\"body_name\" NumberOfTuples=\"%zu\" format=\"ascii\">\n",
                  grid->name_count);
    output_text(out, grid->name_codes);
    output_text(out, "</Array>\n");
}

static void put_field_data(output_file *out, const vtu_grid *grid, uint64_t *offset)
{
    output_text(out, "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                     "format=\"ascii\">");
    output_number(out, grid->time, 0);
    output_text(out, "</DataArray>\n");
    for (size_t i = 0; i < grid->field_data.count; ++i) {
        put_tag(out, &grid->field_data.list[i], true, offset);
    }
    if (grid->name_count > 0) {
        put_names(out, grid);
    }
    output_text(out, "</FieldData>\n");
}

static void put_header(output_file *out, const vtu_grid *grid)
{
    const vtu_array cells[] = { grid->connectivity, grid->offsets, grid->types };
    uint64_t offset = 0;
    output_printf(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                  "byte_order=\"%s\" header_type=\"UInt64\">\n<UnstructuredGrid>\n",
                  output_host_is_little_endian() ? "LittleEndian" : "BigEndian");
    put_field_data(out, grid, &offset);
    output_printf(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", grid->point_count, grid->cell_count);
    put_tags(out, "PointData", grid->point_data, &offset);
    put_tags(out, "CellData", grid->cell_data, &offset);
    put_tags(out, "Points", (vtu_arrays){ &grid->points, 1 }, &offset);
    put_tags(out, "Cells", (vtu_arrays){ cells, 3 }, &offset);
    output_text(out, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static void put_numbers(output_file *out, vtu_arrays arrays)
{
    for (size_t i = 0; i < arrays.count; ++i) {
        uint64_t bytes = bytes_of(&arrays.list[i]);
        output_write(out, &bytes, sizeof bytes);
        output_write(out, arrays.list[i].data, (size_t)bytes);
    }
}

carom_status vtu_write(const char *path, const vtu_grid *grid, carom_export_report *report, carom_error *err)
{
    const vtu_array cells[] = { grid->connectivity, grid->offsets, grid->types };
    output_file out;
    carom_status status = output_open(&out, path, err);
    if (status != CAROM_OK) {
        return status;
    }
    put_header(&out, grid);
    put_numbers(&out, grid->field_data); /* in the order of their tags */
    put_numbers(&out, grid->point_data);
    put_numbers(&out, grid->cell_data);
    put_numbers(&out, (vtu_arrays){ &grid->points, 1 });
    put_numbers(&out, (vtu_arrays){ cells, 3 });
    output_text(&out, "\n</AppendedData>\n</VTKFile>\n");
    return output_close(&out, CAROM_OK, report, err);
}
