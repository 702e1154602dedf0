# test_text.py: no file speaks of the machine it was written on, and the README's commands exist.
import os
import re
import subprocess
import sys

# Written in two parts, so that this file does not find itself.
FORBIDDEN = [
    (re.compile(r"(?<![\w.$}/-])/(wo" r"rk|ro" r"ot)/"), "a path of one machine"),
    (re.compile(r"(?<![\w.$}/-])/ho" r"me/\w+/"), "a path of one machine"),
    (re.compile(r"deb\.deb" r"ian\.org|security\.deb" r"ian\.org|regis" r"try\.npmjs|pyp" r"i\.org|pythonh" r"osted\.org|"
                r"crates\.i" r"o/|proxy\.gol" r"ang\.org|repo1?\.mav" r"en\.", re.I), "a host of a package registry"),
]
BINARY = (".png", ".jpg", ".gif", ".glb", ".bin", ".npz", ".ktx2", ".wasm")


def files_of(root):
    """What git tracks, or would; without git, everything but build products."""
    try:
        output = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                check=True, capture_output=True).stdout
        return [p for p in output.decode().split("\0") if p and os.path.isfile(os.path.join(root, p))]
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f not in ("build", "demo", ".git", "__pycache__", "node_modules")]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
        return found


def forbidden_in(text):
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, what in FORBIDDEN:
            match = pattern.search(line)
            if match:
                yield "%d: %s: %s" % (number, what, match.group())


def commands_in(readme):
    """The words of each command line in the README's code blocks that calls dev or supple."""
    for block in re.findall(r"(?ms)^```[^\n]*\n(.*?)^```", readme):
        for line in block.replace("\\\n", " ").split("\n"):
            line = re.sub(r"^\s*\$\s+", "", line).split("#")[0]
            for part in re.split(r"&&|\|\||[|;]", line):
                words = part.split()
                if words[:1] == ["sh"] and len(words) > 2 and words[1] in ("dev", "./dev"):
                    yield "dev", words[2:]
                elif words and (words[0] == "supple" or words[0].endswith("/supple")) and len(words) > 1:
                    yield "supple", words[1:]


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stdout + done.stderr


def check_claims(readme, dev, command):
    problems = []
    _, dev_help = run(["sh", dev, "help"])
    _, help_text = run([command, "--help"]) if command else (0, "")
    for program, words in commands_in(readme):
        shown = "%s %s" % (program, " ".join(words))
        if program == "dev":
            if not re.search(r"(?m)^\s+%s\b" % re.escape(words[0]), dev_help):
                problems.append("README.md: %s: dev has no command %s" % (shown, words[0]))
            continue
        if not command:
            continue
        page = help_text
        if not words[0].startswith("-"):
            if not re.search(r"(?m)^\s+%s\b" % re.escape(words[0]), help_text):
                problems.append("README.md: %s: supple has no command %s" % (shown, words[0]))
                continue
            status, page = run([command, words[0], "--help"])
            if status != 0:
                problems.append("README.md: supple %s --help exits with %d" % (words[0], status))
        for word in words:
            option = re.match(r"(--?[A-Za-z][\w-]*)", word)
            if option and not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(option.group(1)), page):
                problems.append("README.md: %s: %s is not in its help" % (shown, option.group(1)))
    return problems


def prove(dev):
    failures = []
    for text in ("see /wo" "rk/x", "'/ro" "ot/.cache'", "http://deb.deb" "ian.org/", "https://regis" "try.npmjs.org"):
        if not list(forbidden_in(text)):
            failures.append("not found: " + text)
    for text in ("the frame/wo" "rk/flow", "../wo" "rk", "${x}/ro" "ot/y", "network/"):
        if list(forbidden_in(text)):
            failures.append("wrongly found: " + text)
    readme = "```\n$ sh dev build   # once\nsh dev fly && supple --help\n```\nsh dev outside\n"
    if list(commands_in(readme)) != [("dev", ["build"]), ("dev", ["fly"]), ("supple", ["--help"])]:
        failures.append("commands: %s" % list(commands_in(readme)))
    problems = check_claims(readme, dev, "")
    if problems != ["README.md: dev fly: dev has no command fly"]:
        failures.append("claims: %s" % problems)
    return failures


def main():
    root = os.environ["SUPPLE_SOURCE_DIR"]
    dev = os.path.join(root, "dev")
    failures = prove(dev)
    for failure in failures:
        print("the check itself is wrong:", failure)
    problems, count = [], 0
    for path in files_of(root):
        if path.endswith(BINARY):
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            problems += ["%s:%s" % (path, problem) for problem in forbidden_in(file.read())]
        count += 1
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        problems += check_claims(file.read(), dev, os.environ.get("SUPPLE_COMMAND", ""))
    for problem in problems:
        print(problem)
    print("%d files, %d problems" % (count, len(problems)))
    return 1 if failures or problems else 0


sys.exit(main())
