"""check_page must object to a page that is not what the viewer makes, with and without Node.js."""
import os
import unittest
from unittest import mock

from bad_tree import CheckTest

BUILD = 'import { writeFileSync, readFileSync } from "node:fs";\n' \
        'writeFileSync(process.argv[2], readFileSync("src/main.ts", "utf8").toUpperCase());\n'


class Page(CheckTest):
    check = "check_page"
    start = {
        "viewer/build.mjs": BUILD,
        "viewer/package.json": "{}",
        "viewer/package-lock.json": "{}",
        "viewer/src/main.ts": "body\n",
        "viewer/styles/main.css": "a {}\n",
        "viewer/node_modules/esbuild/package.json": "{}",
    }

    def setUp(self):
        super().setUp()
        self.accepts("--update")

    def test_accepts_what_was_made(self):
        self.accepts()
        with open(os.path.join(self.root, "viewer/dist/page.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "BODY\n")

    def test_a_source_that_changed_came_or_went(self):
        self.write("viewer/src/main.ts", "another\n")
        self.objects("viewer/src/main.ts", "make page")
        self.accepts("--update")
        self.write("viewer/src/more.ts", "")
        self.objects("viewer/src/more.ts", "make page")
        os.remove(os.path.join(self.root, "viewer/src/more.ts"))
        os.remove(os.path.join(self.root, "viewer/styles/main.css"))
        self.objects("viewer/styles/main.css", "make page")

    def test_a_page_changed_by_hand(self):
        self.write("viewer/dist/page.html", "BODY \n")
        self.objects("viewer/dist/page.html", "make page")

    def test_a_page_that_is_not_there(self):
        os.remove(os.path.join(self.root, "viewer/dist/page.html"))
        self.objects("viewer/dist/page.html", "make page")

    def test_other_bytes_from_the_same_sources(self):
        """What only building again can find: packages that are not those of the lock file, say."""
        self.write("viewer/node_modules/extra.txt", "x")
        self.write("viewer/build.mjs", BUILD.replace('"src/main.ts"', '"node_modules/extra.txt"'))
        self.accepts("--update")
        self.write("viewer/node_modules/extra.txt", "y")
        self.objects("makes another page")

    def test_without_node_hashes_are_compared(self):
        with mock.patch.dict(os.environ, {"PATH": "/nonexistent"}):
            self.accepts()
            self.write("viewer/src/main.ts", "another\n")
            self.objects("viewer/src/main.ts", "make page")
            self.assertIn("tools/setup page", self.run_check("--update").stderr)


if __name__ == "__main__":
    unittest.main()
