# test_view_write.py: `compare --view` writes the page of `supple view` beside its report, and links the two.
import os
import re
import urllib.parse

from _cli import check, expect, main, run, scratch


def test_beside_the_report():
    folder = scratch("with space")
    os.makedirs(folder, exist_ok=True)
    arm, report = os.path.join(folder, "arm.glb"), os.path.join(folder, "my report.html")
    check(run("fixture", "arm", "-o", arm).code == 0, "the fixture")
    alone = run("view", arm, "-o", os.path.join(folder, "alone.html"))
    if alone.code and "carries no page" in alone.err:
        print("this build carries no page: skipped")
        return
    expect(0, "", "compare", arm, "--frames", "2", "--pictures", "0", "-o", report, "--view")
    with open(report, encoding="utf-8") as file:
        links = re.findall(r'<a href="\./([^"]*)">Turn it and play it</a>', file.read())
    check(len(links) == 1 and urllib.parse.unquote(links[0]) == "my report-view.html", "the link: %s" % links)
    with open(os.path.join(folder, "my report-view.html"), "rb") as file, \
            open(os.path.join(folder, "alone.html"), "rb") as other:
        check(file.read() == other.read(), "the page is that of supple view")


def test_without():
    arm, report = scratch("arm.glb"), scratch("plain.html")
    check(run("fixture", "arm", "-o", arm).code == 0, "the fixture")
    expect(0, "", "compare", arm, "--frames", "2", "--pictures", "0", "-o", report)
    check(not os.path.exists(scratch("plain-view.html")), "no page unless asked for")
    with open(report, encoding="utf-8") as file:
        check("Turn it" not in file.read(), "no link")
    expect(2, "--view goes with", "compare", arm, "--view")
    expect(2, "--view goes with", "compare", arm, "--view", "-o", "-")
    # Neither file is there where one cannot be written.
    os.makedirs(scratch("taken-view.html"), exist_ok=True)
    done = run("compare", arm, "--frames", "2", "--pictures", "0", "-o", scratch("taken.html"), "--view")
    check(done.code == 1 and "taken-view.html" in done.err, "the message: %s" % done.err)
    check(not os.path.exists(scratch("taken.html")), "no report without its page")


if __name__ == "__main__":
    main([test_beside_the_report, test_without])
