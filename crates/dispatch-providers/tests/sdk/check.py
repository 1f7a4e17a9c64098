#!/usr/bin/env python3
"""Holds what `dispatch` prints for a provider to the types of that provider's own SDK.

Run it as `cargo xtask sdk-check`. It needs Python alone: an SDK that is not installed is skipped, and said to be.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from judge import Refused
from sdk_types import PROVIDERS

HERE = Path(__file__).resolve().parent


class Failed(Exception):
    """The program did not answer."""


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise Failed(f"exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def answer(self, provider, message, *options):
        workspace = HERE / "workspace.json"
        return self.run("dispatch", "--provider", provider, "--workspace", str(workspace), *options, str(message))

    def definitions(self, provider, *options):
        return json.loads(self.run("schema", "--provider", provider, *options))


class Report:
    def __init__(self):
        self.checked = self.failed = self.skipped = 0

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped: {name}: {reason}")

    def check(self, name, work, *arguments):
        self.checked += 1
        try:
            work(*arguments)
        except (Failed, Refused) as error:
            reason = str(error)
        except Exception as error:  # What stands where the check looked for something else.
            reason = f"{type(error).__name__}: {error}"
        else:
            return
        self.failed += 1
        print("\n  ".join([f"failed: {name}", *reason.splitlines()]))

    def summary(self):
        return f"sdk-check: {self.checked} checks, {self.failed} failed, {self.skipped} skipped"


def check_answer(program, provider, types, file):
    lines = program.answer(provider, file).splitlines()
    if not lines:
        raise Failed("nothing was printed")
    calls = json.loads(file.read_text(encoding="utf-8"))
    calls = calls if isinstance(calls, list) else [calls] * len(lines)
    for line, call in zip(lines, calls, strict=True):
        types.answer(json.loads(line), call)


def check_conversation(program, provider, types, file):
    printed = json.loads(program.answer(provider, file, "--conversation"))
    types.history(printed if isinstance(printed, list) else printed[types.messages])


def check_definitions(program, provider, types, is_strict):
    types.definitions(program.definitions(provider, *(["--strict"] if is_strict else [])), is_strict)


def check_provider(report, program, provider, types, has_strict_mode):
    for file in sorted((HERE / "messages" / provider).glob("*.json")):
        report.check(f"{provider}: {file.stem}", check_answer, program, provider, types, file)
        if types.messages:
            report.check(f"{provider}: {file.stem} as conversation", check_conversation, program, provider, types, file)
    for is_strict in [False, True] if has_strict_mode else [False]:
        name = f"{provider}: {'strict ' if is_strict else ''}definitions"
        report.check(name, check_definitions, program, provider, types, is_strict)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--dispatch", required=True, help="the program to check")
    arguments.add_argument("--require", action="store_true", help="count what was skipped as failed")
    arguments = arguments.parse_args()
    report = Report()
    for provider, kind, has_strict_mode in PROVIDERS:
        try:
            types = kind()
        except ModuleNotFoundError as error:
            report.skip(provider, f"package not installed ({error})")
        else:
            check_provider(report, Program(arguments.dispatch), provider, types, has_strict_mode)
    print(report.summary())
    return int(report.failed > 0 or (arguments.require and report.skipped > 0))


if __name__ == "__main__":
    sys.exit(main())
