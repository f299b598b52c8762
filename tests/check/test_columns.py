"""check_columns must object to columns counted by slots and to literal sixes, and to nothing else."""
import unittest

from bad_tree import CheckTest


class Columns(CheckTest):
    check = "check_columns"
    start = {
        "src/dynamics/good.c": """
/* 6 * slot in a comment, 1e-6 and 6.0 as numbers, "6 of them" in a text. */
enum { HALVINGS = 12, POINTS = 6 };
static const options defaults = { .limit = 12 };
double f(const model_body *b, const double *x) { return 1e-6 * x[b->column + FRAME_COLUMNS] + 6.0 * x[66] + 12.5; }
""",
        "src/elements/bodies/rigid.c": "double M[36]; int at = 6 * slot;\n",
        "src/linalg/block.h": "static inline void block_add(double a[36]);\n",
        "src/geometry/box.c": "int faces = 6;\nfor (int k = 0; k < 6; ++k) { }\n",
    }

    def test_accepts_named_numbers_and_kernels(self):
        self.accepts()

    def test_columns_by_slot(self):
        for line in ("double *f = w->f + 6 * slot;", "double *f = w->f + FRAME_COLUMNS * slot;",
                     "n = 6 * w->model->free_count;", "n = model->free_count * 6;", "x[6 * model->bodies[i].slot + k]",
                     "n = FRAME_COLUMNS * (slot + 1);"):
            self.write("src/dynamics/bad.c", line + "\n")
            self.objects("src/dynamics/bad.c:1")

    def test_literal_sixes(self):
        for module in ("linalg", "elements", "model", "dynamics", "contact", "methods/impact", "sim", "result"):
            for line in ("double row[6];", "for (int i = 0; i < 6; ++i) {", "double H[12][12];", "memset(A, 0, 36 * 8);",
                         "row[r / 12]", "for (int r = 0; r < 144; ++r) {"):
                path = f"src/{module}/bad.c"
                self.write(path, "\n" + line + "\n")
                self.objects(f"{path}:2")
            self.write(path, "\n")

    def test_another_name_for_six_columns(self):
        for line in ("enum { BODY_COLUMNS = 6 };", "body_layout l = { .width = 6 };"):
            self.write("src/model/bad.c", line + "\n")
            self.objects("src/model/bad.c:1")

    def test_exceptions_are_of_one_file(self):
        self.write("src/dynamics/bad.c", "double xy = count == 6 ? I[3] : 0.0;\n")
        self.objects("src/dynamics/bad.c:1")

    def test_an_exception_out_of_date(self):
        self.write("src/sim/judge.c", "int nothing;\n")
        self.objects("check_columns", "is not in src/sim/judge.c any more")


if __name__ == "__main__":
    unittest.main()
