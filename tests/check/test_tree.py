"""check_tree must object to each kind of thing that does not belong in the repository."""
import os
import unittest

from bad_tree import CheckTest


class Tree(CheckTest):
    check = "check_tree"
    start = {
        "README.md": "A framework; see docs/work or units of force/home. Run it from https://host/root.\n",
        "src/base/CMakeLists.txt": "target_sources(carom_objects PRIVATE arena.c sub/deep.c) # not old.c\n",
        "src/base/arena.c": "int a;\n",
        "src/base/sub/deep.c": "int b;\n",
        "tests/unit/base/CMakeLists.txt": "carom_test(a test_a.c shared.c)\ncarom_test(b test_b.c shared.c)\n",
        "tests/unit/base/test_a.c": "int main;\n",
        "tests/unit/base/test_b.c": "int main;\n",
        "tests/unit/base/shared.c": "int c;\n",
        "build/huge.c": "\t" + "TO" + "DO",
    }

    def test_accepts_a_clean_tree(self):
        self.accepts()

    def test_accepts_a_worktree(self):
        self.write(".git", "gitdir: /ho" + "me/someone/x/.git/worktrees/y\n")
        self.accepts()

    def test_large_file(self):
        self.write("docs/big.txt", "x" * 1000001)
        self.objects("docs/big.txt", "1000001 bytes")

    def test_unfinished(self):
        for mark in ("TO" + "DO", "FIX" + "ME", "X" + "XX"):
            self.write("docs/a.md", f"one\n{mark}: later\n")
            self.objects("docs/a.md:2", "unfinished")

    def test_paths_of_one_machine(self):
        for path in ("/wo" + "rk/main", "/ro" + "ot/.cache", "/ho" + "me/someone/x", "/wo" + "rk"):
            self.write("docs/a.md", f"look in {path}\n")
            self.objects("docs/a.md:1", "path of one machine")

    def test_a_further_working_tree(self):
        self.write(".git", "gitdir: /ho" + "me/someone/main/.git/worktrees/other\n")
        self.accepts()

    def test_tab(self):
        self.write("src/base/arena.c", "int a;\n\tint b;\n")
        self.objects("src/base/arena.c:2", "a tab")

    def test_source_not_listed(self):
        self.write("src/base/old.c", "int c;\n")
        self.objects("src/base/old.c", "in no CMakeLists.txt")

    def test_source_listed_but_missing(self):
        os.remove(os.path.join(self.root, "src/base/sub/deep.c"))
        self.objects("src/base/CMakeLists.txt:1", "does not exist")

    def test_source_listed_twice(self):
        self.write("src/CMakeLists.txt", "target_sources(carom_objects PRIVATE base/arena.c)\n")
        self.objects("src/base/arena.c a second time")

    def test_forgotten_test(self):
        self.write("tests/unit/base/test_c.c", "int main;\n")
        self.objects("tests/unit/base/test_c.c", "in no CMakeLists.txt")

    def test_missing_test(self):
        os.remove(os.path.join(self.root, "tests/unit/base/test_b.c"))
        self.objects("tests/unit/base/CMakeLists.txt:2", "does not exist")

    def test_binary_files_are_not_read_as_text(self):
        self.write("docs/a.bin", "\0" + "TO" + "DO")
        self.accepts()


if __name__ == "__main__":
    unittest.main()
