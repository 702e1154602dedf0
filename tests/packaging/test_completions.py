# test_completions.py: bash, zsh and fish complete every command and option that --help names.
import os
import re
import shutil
import subprocess
import sys

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
FOLDER = os.path.join(os.environ["SUPPLE_BINARY_DIR"], "manual", "completions")
SCRATCH = os.path.join(os.environ["SUPPLE_SCRATCH"], "files")
HOME = os.path.join(os.environ["SUPPLE_SCRATCH"], "home")  # shells leave their own files there


def run(arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                          timeout=60, **more)


def help_of(*words):
    return run([COMMAND, *words, "--help"]).stdout


def commands():
    return re.findall(r"(?m)^  (\w+) {2,}\S", help_of())


def options(command):
    """(letter or "", name, words of a choice) of every option in a command's help."""
    text = help_of(command).split("\noptions:\n", 1)[1]
    found = re.findall(r"(?m)^  (?:-(\w), |    )--([\w-]+)(?: (\S+))?", text)
    return [(letter, name, choice.split("|") if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", choice) else [])
            for letter, name, choice in found]


def bash(*words):
    """What bash offers for the last of the words, as bash splits them."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _supple; printf "%s\\n" "${COMPREPLY[@]}"'
    done = run(["bash", "-c", script, "bash", os.path.join(FOLDER, "supple.bash"), *words], cwd=SCRATCH)
    return set(done.stdout.split("\n")) - {""} if not done.stderr else {"error: " + done.stderr}


def check_bash(problems):
    def expect(words, wanted):
        got = bash(*words)
        if got != set(wanted):
            problems.append("bash: %s gives %s, not %s" % (" ".join(words), sorted(got), sorted(wanted)))

    names = commands()
    os.makedirs(os.path.join(SCRATCH, "folder"), exist_ok=True)
    os.makedirs(HOME, exist_ok=True)
    for name in ("one.glb", "two words.gltf", "three.png"):
        open(os.path.join(SCRATCH, name), "w", encoding="utf-8").close()
    expect(["supple", "comp"], ["compare"])
    expect(["supple", ""], names + ["help", "--help", "--version"])
    expect(["supple", "help", "in"], ["info"])
    expect(["supple", "info", "o"], ["one.glb"])
    expect(["supple", "info", "t"], ["two words.gltf"])
    expect(["supple", "info", ""], ["one.glb", "two words.gltf", "folder"])
    expect(["supple", "skin", "one.glb", "-o", "th"], ["three.png"])
    expect(["supple", "skin", "--clip", ""], [])
    expect(["supple", "fixture", "ar"], ["arm"])
    expect(["supple", "nothing", "o"], [])
    expect(["supple", "skin", "--scale", "=", "f"], ["first"])
    expect(["supple", "skin", "--scale", "="], ["affine", "first", "none"])
    for name in names:
        everything = options(name)
        if not any(option == "help" for _, option, _ in everything):
            problems.append("the test reads no options from the help of %s" % name)
        wanted = ["--" + option for _, option, _ in everything] + ["-" + l for l, _, _ in everything if l]
        expect(["supple", name, "-"], wanted)
        for _, option, words in everything:
            if words:
                expect(["supple", name, "--" + option, ""], words)


def check_others(problems):
    with open(os.path.join(FOLDER, "_supple"), encoding="utf-8") as file:
        zsh = file.read()
    with open(os.path.join(FOLDER, "supple.fish"), encoding="utf-8") as file:
        fish = file.read()
    for name in commands():
        part = re.search(r"(?ms)^    %s\)$(.*?)^      ;;$" % name, zsh)
        if not part or not re.search(r"(?m)^    '%s:" % name, zsh):
            problems.append("zsh: %s is missing" % name)
            continue
        if not re.search(r"-n __fish_use_subcommand -a %s " % name, fish):
            problems.append("fish: %s is missing" % name)
        for letter, option, words in options(name):
            if not re.search(r"--%s(?![\w-])" % option, part.group(1)) or \
                    (words and "(%s)" % " ".join(words) not in part.group(1)):
                problems.append("zsh: %s --%s is missing" % (name, option))
            line = re.search(r"(?m)^complete -c supple -n '__fish_seen_subcommand_from %s'%s -l %s(?![\w-]).*" %
                             (name, " -s " + letter if letter else "", option), fish)
            if not line or (words and "'%s'" % " ".join(words) not in line.group()):
                problems.append("fish: %s --%s is missing" % (name, option))
    if shutil.which("fish"):
        script = 'source $argv[1]; complete -C "supple comp"; complete -C "supple skin --scale "'
        done = run(["fish", "--no-config", "-c", script, os.path.join(FOLDER, "supple.fish")],
                   env={**os.environ, "HOME": HOME})
        got = [line.split("\t")[0] for line in done.stdout.split("\n") if line]
        if got != ["compare", "affine", "first", "none"]:
            problems.append("fish completes %s %s" % (got, done.stderr))


def main():
    if not COMMAND or not os.path.isdir(FOLDER):
        print("no completions in this build: skipped")
        return 77
    problems = []
    for shell, name in (("bash", "supple.bash"), ("zsh", "_supple"), ("fish", "supple.fish")):
        if not shutil.which(shell):
            print("%s is not there: its syntax is not checked" % shell)
            continue
        done = run([shell, "-n", os.path.join(FOLDER, name)])
        if done.returncode or done.stderr:
            problems.append("%s -n %s: %s" % (shell, name, done.stderr))
    if shutil.which("bash"):
        check_bash(problems)
    check_others(problems)
    for problem in problems:
        print(problem)
    print("%d commands, %d problems" % (len(commands()), len(problems)))
    return 1 if problems else 0


sys.exit(main())
