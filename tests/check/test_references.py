"""check_references must object to what is cited and not listed, listed and not cited, and cited in words."""
import unittest

from bad_tree import CheckTest

BIBLIOGRAPHY = "@article{Stronge1990, year = 1990}\n@book{Hairer1993,\n  year = 1993}\n"


class References(CheckTest):
    check = "check_references"
    start = {
        "docs/references.bib": BIBLIOGRAPHY,
        "docs/theory/impact.md": "Energetic restitution [Stronge1990], [a link](x.md), an index [i].\n",
        "src/nonsmooth/turn.c": "/* Extrapolation [Hairer1993, II.9; paper 5]. */\nint a[SIZE2000];\n",
    }

    def test_accepts_what_is_listed_and_cited(self):
        self.accepts()

    def test_cited_but_not_listed(self):
        self.write("src/nonsmooth/bad.c", "\n/* [Routh1905] */\n")
        self.objects("src/nonsmooth/bad.c:2", "Routh1905", "not in")

    def test_listed_but_not_cited(self):
        self.write("docs/references.bib", BIBLIOGRAPHY + "@article{Baraff1992, year = 1992}\n")
        self.objects("nothing cites Baraff1992")

    def test_listed_twice(self):
        self.write("docs/references.bib", BIBLIOGRAPHY + "@article{Stronge1990, year = 1990}\n")
        self.objects("Stronge1990 is there twice")

    def test_cited_in_words(self):
        for words in ("Hunt, Crossley 1975", "Gonthier et al. 2004", "More & Sorensen 1983", "Baraff 1992"):
            self.write("src/nonsmooth/bad.c", f"/* as in [{words}] */\n")
            self.objects("src/nonsmooth/bad.c:1", words, "by a key")

    def test_texts_that_are_not_here(self):
        self.write("src/nonsmooth/bad.c", "/* jams [paper 5; spec 4.3] */\n")
        self.objects("src/nonsmooth/bad.c:1", "by a key")


if __name__ == "__main__":
    unittest.main()
