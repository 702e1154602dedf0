# test_manual.py: the manual pages say what --help says, and are clean.
#
# What must be in them is read from --help, which the command prints from the same table by other code.
import os
import re
import shutil
import subprocess
import sys

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
FOLDER = os.path.join(os.environ["SUPPLE_BINARY_DIR"], "manual", "man1")
# scdoc opens paragraphs that stay empty; readers skip them.
HARMLESS = re.compile(r"skipping paragraph macro")


def run(arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                          timeout=60, **more)


def help_of(*words):
    done = run([COMMAND, *words, "--help"])
    assert done.returncode == 0, "%s --help: %s" % (words, done.stderr)
    return done.stdout


def commands():
    return re.findall(r"(?m)^  (\w+) {2,}\S", help_of())


def words_of(text):
    """Words with the punctuation that joins them, but without what only lays them out."""
    return set(re.findall(r"[^\s]*\w[^\s]*", text))


def rendered(page):
    """The page as a reader sees it, lines and hyphenation undone."""
    if shutil.which("mandoc"):
        text = run(["mandoc", "-T", "utf8", "-O", "width=400", page]).stdout
        text = re.sub(".\b", "", text)
    elif shutil.which("man"):
        text = run(["man", "-l", page], env={**os.environ, "MANWIDTH": "400", "LC_ALL": "C.UTF-8", "MANPAGER": "cat",
                                             "MAN_KEEP_FORMATTING": ""}).stdout
        text = re.sub(".\b", "", text)
    else:
        return None
    return text.replace("\u2010\n", "").replace("\u2010", "-").replace("\u2212", "-").replace("\u2019", "'")


def check_page(name, help_text):
    problems = []
    page = os.path.join(FOLDER, name + ".1")
    text = rendered(page)
    if text is None:
        with open(page + ".scd", encoding="utf-8") as file:
            text = re.sub(r"\\(.)|[*_]", r"\1", file.read())
    body = re.sub(r"(?m)^(usage:|options:|supple \w+:)", "", help_text)
    found = words_of(text)
    for word in sorted(words_of(body)):
        if word not in found:
            problems.append("%s: %s of --help is missing" % (name, word))
    return problems


def lint(name):
    page = os.path.join(FOLDER, name + ".1")
    lines = []
    if shutil.which("mandoc"):
        done = run(["mandoc", "-T", "lint", "-W", "warning", page])
        lines += (done.stdout + done.stderr).split("\n")
    if shutil.which("man"):
        done = run(["man", "--warnings", "-l", page], env={**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        lines += done.stderr.split("\n")
        if done.returncode or "NAME" not in done.stdout:
            lines.append("man -l %s fails" % page)
    return [line for line in lines if line.strip() and not HARMLESS.search(line)]


def main():
    if not COMMAND or not os.path.isdir(FOLDER):
        print("no manual pages in this build: skipped")
        return 77
    pages = ["supple"] + ["supple-" + name for name in commands()]
    assert "supple-compare" in pages and "supple-skin" in pages
    problems = []
    for page in pages:
        if not os.path.exists(os.path.join(FOLDER, page + ".1.scd")):
            problems.append("%s has no page" % page)
            continue
        if not os.path.exists(os.path.join(FOLDER, page + ".1")):
            print("scdoc is not there, so %s was not compiled: its source alone is checked" % page)
        if page == "supple":
            with open(os.path.join(FOLDER, "supple.1.scd"), encoding="utf-8") as file:
                text = file.read()
            problems += ["supple(1) does not name %s" % p for p in pages[1:] if "*%s*(1)" % p not in text]
        else:
            problems += check_page(page, help_of(page[len("supple-"):]))
        if os.path.exists(os.path.join(FOLDER, page + ".1")):
            problems += lint(page)
    known = {page + suffix for page in pages for suffix in (".1", ".1.scd")}
    problems += ["%s is a page of nothing" % name for name in os.listdir(FOLDER) if name not in known]
    # It must be able to fail.
    if not check_page("supple-skin", "--no-such-option"):
        problems.append("the check itself finds everything")
    for problem in problems:
        print(problem)
    print("%d pages, %d problems" % (len(pages), len(problems)))
    return 1 if problems else 0


sys.exit(main())
