"""check_format must object to a file in another style, and put it right with --fix."""
import os
import unittest

from bad_tree import ROOT, CheckTest


class Format(CheckTest):
    check = "check_format"
    start = {"src/base/good.c": "int f(void)\n{\n    return 1;\n}\n"}

    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, ".clang-format"), encoding="utf-8") as file:
            self.write(".clang-format", file.read())

    def test_accepts_the_house_style(self):
        self.accepts()

    def test_objects_and_fixes(self):
        self.write("src/base/bad.c", "int f(void) { return 1; }\n")
        self.objects("src/base/bad.c:1", "not formatted")
        self.accepts("--fix")
        self.accepts()

    def test_looks_into_all_folders(self):
        for folder in ("include/carom", "src", "apps/carom", "tests/unit", "bench", "examples/c"):
            self.write(f"{folder}/bad.h", "int  f( void );\n")
            self.objects(f"{folder}/bad.h:1")


if __name__ == "__main__":
    unittest.main()
