"""check_headers must object to headers that lean on others, lack a guard or are no C++."""
import unittest

from bad_tree import CheckTest

GOOD = "/* what it is */\n#ifndef {0}\n#define {0}\n{1}\n#endif\n"


class Headers(CheckTest):
    check = "check_headers"
    start = {
        "include/carom/base.h": GOOD.format("CAROM_BASE_H", "#include <stddef.h>\nsize_t carom_f(void);"),
        "src/base/arena.h": GOOD.format("CAROM_BASE_ARENA_H", "#include <carom/base.h>\nint base_g(size_t n);"),
    }

    def test_accepts_good_headers(self):
        self.accepts()

    def test_leans_on_others(self):
        self.write("src/base/bad.h", GOOD.format("CAROM_BASE_BAD_H", "size_t f(void);"))
        self.objects("src/base/bad.h:1", "does not compile by itself")

    def test_without_guard(self):
        self.write("src/base/bad.h", "int f(void);\n")
        self.objects("src/base/bad.h:1", "without a guard")

    def test_with_a_guard_that_does_not_guard(self):
        self.write("src/base/bad.h", "#ifndef CAROM_A_H\n#define CAROM_B_H\nint f(void);\n#endif\n")
        self.objects("src/base/bad.h:1", "without a guard")

    def test_guard_taken(self):
        self.write("src/base/bad.h", GOOD.format("CAROM_BASE_H", "int f(void);"))
        self.objects("src/base/bad.h:1", "CAROM_BASE_H is also")

    def test_public_header_is_no_cpp(self):
        self.write("include/carom/bad.h", GOOD.format("CAROM_BAD_H", "int carom_f(int class);"))
        self.objects("include/carom/bad.h:1", "g++")

    def test_internal_header_need_not_be_cpp(self):
        self.write("src/base/c.h", GOOD.format("CAROM_BASE_C_H", "int f(int class);"))
        self.accepts()


if __name__ == "__main__":
    unittest.main()
