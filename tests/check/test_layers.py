"""check_layers must object to each kind of forbidden include, and to nothing else."""
import unittest

from bad_tree import CheckTest


class Layers(CheckTest):
    check = "check_layers"
    start = {
        "include/carom/base.h": "#include <stddef.h>\n",
        "src/base/arena.h": "#include <carom/base.h>\n",
        "src/base/parallel.c": "#include <pthread.h>\n",
        "src/math/vec3.h": '#include "base/arena.h"\n#include <math.h>\n',
        "src/linalg/dense.h": '#include "math/vec3.h"\n#include <lapacke.h>\n#include <cholmod.h>\n',
        "src/geometry/mesh.h": '#include "math/vec3.h"\n',
        "src/elements/joints/joint.h": '#include "math/vec3.h"\n',
        "src/elements/joints/screw.c": '#include "elements/joints/joint.h"\n',
        "src/dynamics/sundials/ida.c": "#include <ida/ida.h>\n#include <nvector/nvector_serial.h>\n",
        "src/methods/impact/impact.h": '#include "math/vec3.h"\n',
        "src/methods/barrier/barrier.c": '#include "geometry/mesh.h"\n',
        "src/sim/list.c": '#include "methods/impact/impact.h"\n',
        "apps/carom/cli.h": "#include <carom/base.h>\n",
        "apps/carom/main.c": '#include "cli.h"\n#include <stdio.h>\n',
        "tests/unit/test.c": '#include "math/vec3.h"\n#include <cmocka.h>\n#include <jansson.h>\n',
    }

    def test_accepts_what_is_allowed(self):
        self.accepts()

    def test_upwards(self):
        self.write("src/base/bad.c", '#include "math/vec3.h"\n')
        self.objects("src/base/bad.c:1", "stands above")

    def test_sideways(self):
        self.write("src/geometry/bad.c", '\n#include "linalg/dense.h"\n')
        self.objects("src/geometry/bad.c:2", "same rank")

    def test_one_method_sees_another(self):
        self.write("src/methods/barrier/bad.c", '#include "methods/impact/impact.h"\n')
        self.objects("src/methods/barrier/bad.c:1", "same rank")

    def test_module_that_sees_less_than_its_rank(self):
        self.write("src/nonsmooth/bad.c", '#include "linalg/dense.h"\n#include "geometry/mesh.h"\n')
        self.objects("src/nonsmooth/bad.c:2", "nonsmooth sees base and linalg only")

    def test_path_not_relative_to_src(self):
        self.write("src/math/bad.c", '#include "vec3.h"\n')
        self.objects("src/math/bad.c:1", "relative to src/")
        self.write("src/math/bad.c", '#include "../math/vec3.h"\n')
        self.objects("src/math/bad.c:1", "relative to src/")

    def test_missing_header(self):
        self.write("src/math/bad.c", '#include "math/quad.h"\n')
        self.objects("src/math/quad.h does not exist")

    def test_module_without_rank(self):
        self.write("src/misc/bad.c", '#include "base/arena.h"\n')
        self.objects("'misc' has no rank")

    def test_third_party_away_from_home(self):
        for header in ("cholmod.h", "jansson.h", "hdf5.h", "muParserDLL.h", "ida/ida.h", "cmocka.h"):
            self.write("src/math/bad.c", f"#include <{header}>\n")
            self.objects("src/math/bad.c:1", header, "belongs to")
        self.write("src/math/bad.c", "")
        self.write("src/dynamics/bad.c", "#include <ida/ida.h>\n")
        self.objects("src/dynamics/bad.c:1", "src/dynamics/sundials")

    def test_unknown_library(self):
        self.write("src/scene/bad.c", "#include <curl/curl.h>\n")
        self.objects("curl/curl.h", "neither C17, POSIX")

    def test_program_reaches_around_the_public_interface(self):
        self.write("apps/carom/bad.c", '#include "math/vec3.h"\n')
        self.objects("apps/carom/bad.c:1", "only <carom/...>")
        self.write("apps/carom/bad.c", "#include <jansson.h>\n")
        self.objects("apps/carom/bad.c:1", "belongs to src/files")

    def test_example_reaches_around_the_public_interface(self):
        self.write("examples/c/bad.c", '#include "base/arena.h"\n')
        self.objects("examples/c/bad.c:1", "only <carom/...>")

    def test_public_header_with_quotes(self):
        self.write("include/carom/bad.h", '#include "base.h"\n')
        self.objects("include/carom/bad.h:1", "<carom/...>")

    def test_comments_do_not_count(self):
        self.write("src/base/good.c", '/* #include "sim/run.h"\n#include "math/vec3.h" */\n// #include <x.h>\n')
        self.accepts()


if __name__ == "__main__":
    unittest.main()
