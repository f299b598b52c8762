"""check_prefix must object to foreign names in the library and in public headers."""
import os
import subprocess
import unittest

from bad_tree import CheckTest

GOOD = """
#ifndef CAROM_BASE_H
#define CAROM_BASE_H
#ifdef __cplusplus
extern "C" {
#endif
#define CAROM_API __attribute__((visibility("default")))
#define CAROM_PAIR(a, b) ((a) + other(b))
typedef enum carom_status { CAROM_OK = 0, CAROM_BAD /* not, a, name */ } carom_status;
enum { CAROM_FLAG = 1, };
typedef struct carom_v3 { double x, y, z; void (*call)(int argument); } carom_v3;
typedef void (*carom_task)(void *context, int (*inner)(int));
struct carom_open;
CAROM_API carom_status carom_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
CAROM_API const char *carom_name(carom_status status, bool (*keep)(void *, int));
#ifdef __cplusplus
}
#endif
#endif
"""


class Prefix(CheckTest):
    check = "check_prefix"
    start = {"include/carom/base.h": GOOD}

    def test_accepts_good_names(self):
        self.accepts()

    def test_foreign_names_in_headers(self):
        for line, name in (("#define MAX(a) (a)", "MAX"), ("typedef int real;", "real"),
                           ("struct body { int a; };", "body"), ("enum { OK, CAROM_X };", "OK"),
                           ("enum carom_e { CAROM_X, LAST };", "LAST"), ("int step(int n);", "step"),
                           ("typedef void (*task)(int);", "task"), ("typedef struct { int a; } vec;", "vec")):
            self.write("include/carom/bad.h", line + "\n")
            self.objects("include/carom/bad.h:1", f"'{name}'")

    def build(self, source):
        self.write("lib.c", source)
        library = os.path.join(self.root, "lib.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, os.path.join(self.root, "lib.c")], check=True)
        return library

    def test_library(self):
        self.accepts("--library", self.build("int carom_f(void) { return 0; } static int g(void) { return 1; }"
                                             "int (*carom_p)(void) = g;"))
        bad = self.build("int carom_f(void) { return 0; } int helper(void) { return 1; }")
        self.objects("exports 'helper'", arguments=("--library", bad))

    def test_library_that_exports_nothing(self):
        self.objects("exports nothing", arguments=("--library", self.build("static int g = 1; extern int *h;")))

    def test_library_that_is_not_there(self):
        self.objects("missing.so", arguments=("--library", os.path.join(self.root, "missing.so")))


if __name__ == "__main__":
    unittest.main()
