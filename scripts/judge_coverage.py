#!/usr/bin/env python3
"""Sums up what gcovr measured (its JSON file) and compares it with what is asked for.

    scripts/judge_coverage.py build/coverage/coverage.json
"""

import json
import re
import sys

# Code that reads and writes files: a mistake there loses data or believes what is wrong.
IO = re.compile(
    r"src/(core/(atomic_file|checksum|container\w*|header_fields|json_text|mapped_file)\.|"
    r"data/(byte_source|csv_format|element|formats|h5_\w+|idx_format|image_format|libsvm_format|line_reader|loaders|npy_\w+|"
    r"strided_reader|vecs_format)\.|codes/code_(io|export)\.|hashing/(model_io|sections)\.|search/code_index_io\.|"
    r"features/decode\.|relevance/judgments\.|evaluation/(experiment_file|result_row|row_details)\.|report/result_files\.)"
)
ASKED = {"src": (90.0, 80.0), "files read and written": (95.0, 90.0)}  # per cent of lines, of branches


class Sum:
    def __init__(self) -> None:
        self.lines = self.hit_lines = self.branches = self.hit_branches = 0

    def add(self, file: dict) -> "Sum":
        for line in file["lines"]:
            if line.get("gcovr/noncode"):
                continue
            self.lines += 1
            self.hit_lines += line["count"] > 0
            self.branches += len(line["branches"])
            self.hit_branches += sum(branch["count"] > 0 for branch in line["branches"])
        return self

    def rates(self) -> tuple[float, float]:
        return 100.0 * self.hit_lines / max(1, self.lines), 100.0 * self.hit_branches / max(1, self.branches)


def main() -> None:
    with open(sys.argv[1]) as file:
        files = json.load(file)["files"]
    sums = {name: Sum() for name in ASKED}
    for entry in files:
        sums["src"].add(entry)
        if IO.match(entry["file"]):
            sums["files read and written"].add(entry)
    print("lowest of the files read and written:")
    each = sorted((Sum().add(entry).rates(), entry["file"]) for entry in files if IO.match(entry["file"]))
    for (lines, branches), name in each[:8]:
        print(f"  {name:40} {lines:5.1f} % of lines {branches:5.1f} % of branches")
    enough = True
    for name, (asked_lines, asked_branches) in ASKED.items():
        lines, branches = sums[name].rates()
        enough = enough and lines >= asked_lines and branches >= asked_branches
        print(f"{name}: {lines:.1f} % of {sums[name].lines} lines (asked {asked_lines:.0f}), "
              f"{branches:.1f} % of {sums[name].branches} branches (asked {asked_branches:.0f})")
    sys.exit(0 if enough else 1)


if __name__ == "__main__":
    main()
