"""The driver of `make ablate`: its list fits the tree, a line that is gone or stands twice is an error, and of two mutations of
a toy tree the one that no test notices is reported as surviving."""
import os
import subprocess
import sys
import unittest

from bad_tree import ROOT, CheckTest

RUN = os.path.join(ROOT, "tests", "ablate", "run")

CMAKE = """cmake_minimum_required(VERSION 3.18)
project(toy LANGUAGES C)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
add_executable(unit_toy test_toy.c src/toy.c)
add_test(NAME unit_toy COMMAND unit_toy)
set_tests_properties(unit_toy PROPERTIES LABELS unit)
"""
TOY = """double toy_sum(double a, double b);
double toy_gap(double a, double b);

double toy_sum(double a, double b)
{
    return a + b;
}

double toy_gap(double a, double b)
{
    double gap = a - b;
    return gap;
}
"""
TEST = """double toy_sum(double a, double b);

int main(void)
{
    return toy_sum(1.0, 2.0) == 3.0 ? 0 : 1;
}
"""
SEEN = """[[mutation]]
name = "toy.sum"
line = 'return a + b;'
instead = 'return a - b;'
tests = ["unit_toy"]
"""
UNSEEN = """[[mutation]]
name = "toy.gap"
line = 'double gap = a - b;'
instead = 'double gap = b - a;'
function = "toy_gap"
tests = ["unit_toy"]
"""


class Ablate(CheckTest):
    start = {"CMakeLists.txt": CMAKE, "src/toy.c": TOY, "test_toy.c": TEST}

    def run_driver(self, mutations, *arguments):
        self.write("mutations.toml", mutations)
        return subprocess.run([sys.executable, RUN, "--root", self.root, "--mutations",
                               os.path.join(self.root, "mutations.toml"), *arguments],
                              capture_output=True, text=True, check=False)

    def expect(self, answer, code, *words):
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        for word in words:
            self.assertIn(word, answer.stdout)

    def test_the_list_of_the_tree(self):
        answer = subprocess.run([sys.executable, RUN, "--check"], capture_output=True, text=True, check=False)
        self.expect(answer, 0, "every line is found exactly once")
        self.assertGreaterEqual(int(answer.stdout.split()[0]), 60)
        answer = subprocess.run([sys.executable, RUN, "--check", "--survivors"], capture_output=True, text=True, check=False)
        self.expect(answer, 0, "every line is found exactly once")

    def test_survivor_is_reported(self):
        answer = self.run_driver(SEEN + UNSEEN)
        self.expect(answer, 1, "2 mutations, 1 survive", "toy.gap")
        rows = {line.split()[0]: line.split()[2] for line in answer.stdout.splitlines() if line.startswith("toy.")}
        self.assertEqual(rows, {"toy.sum": "unit_toy", "toy.gap": "NOBODY"})

    def test_killed_alone(self):
        self.expect(self.run_driver(SEEN + UNSEEN, "--only", "toy.s"), 0, "1 mutations, 0 survive")
        with open(os.path.join(self.root, "build", "ablate", "tree", "src", "toy.c"), encoding="utf-8") as file:
            self.assertEqual(file.read(), TOY)  # taken back

    def test_line_that_is_gone(self):
        self.expect(self.run_driver(SEEN.replace("a + b", "b + a")), 1, "toy.sum: line found 0 times")

    def test_line_that_stands_twice(self):
        self.write("src/twin.c", TOY)
        self.expect(self.run_driver(SEEN, "--check"), 1, "toy.sum: line found 2 times", "src/toy.c:6", "src/twin.c:6")

    def test_function_elsewhere(self):
        self.expect(self.run_driver(UNSEEN.replace('"toy_gap"', '"toy_sum"'), "--check"), 1, "found 0 times in toy_sum")

    def test_mutation_that_does_not_compile(self):
        self.expect(self.run_driver(SEEN.replace("return a - b;", "return a - ;")), 1, "toy.c")

    def test_test_that_fails_by_itself(self):
        self.write("test_toy.c", TEST.replace("== 3.0", "== 4.0"))
        self.expect(self.run_driver(SEEN), 1, "unit_toy fails without any mutation")

    def test_entries_that_say_nothing(self):
        self.expect(self.run_driver(SEEN.replace("a - b", "a + b")), 1, "nothing changes")
        self.expect(self.run_driver(SEEN.replace('name = "toy.sum"', 'nam = "toy.sum"')), 1, "missing ['name']")
        self.expect(self.run_driver(SEEN + SEEN), 1, "names given twice")
        self.expect(self.run_driver(SEEN.replace("unit_toy", "unit_joy")), 1, "there are no tests ['unit_joy']")


if __name__ == "__main__":
    unittest.main()
