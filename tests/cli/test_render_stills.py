# test_render_stills.py: the pictures in a comparison's page: how many, how large, and that they show the difference.
import base64
import os
import re

from _cli import check, expect, main, run, scratch
from _picture import Picture, is_covered, skip_without_gl


def pictures_of(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    return [Picture(base64.b64decode(one)) for one in re.findall(r'src="data:image/png;base64,([^"]+)"', text)], text


def test_arm():
    page = scratch("arm.html")
    done = run("compare", scratch("arm.glb"), "--clip", "twist-180", "-o", page)
    check(done.code == 0 and not done.err, done.err)
    pictures, text = pictures_of(page)
    check(len(pictures) == 1, "%d pictures of one joint that collapses" % len(pictures))
    picture = pictures[0]
    half = picture.width // 2
    check('width="%d" height="%d"' % (picture.width, picture.height) in text, "its size is not said")
    # The joint is in the middle: under LBS nothing is left there, under DQS all of it.
    waist = [min(sum(is_covered(*picture.at(x, y)) for x in range(left + 20, left + half - 20))
                 for y in range(picture.height // 2 - 12, picture.height // 2 + 12)) for left in (0, half)]
    check(waist[0] < 0.25 * waist[1], "waists of %d and %d pixels" % tuple(waist))
    # Sections are drawn: blue ones, and the one at the joint in red.
    check(picture.count(lambda r, g, b, a: b > 150 and r < 90 and a > 200) > 50, "no section in blue")
    check(picture.count(lambda r, g, b, a: r > 180 and g < 80 and b > 60 and a > 200, half) > 20, "none in red")


def test_how_many():
    for count in (0, 2):
        page = scratch("figure%d.html" % count)
        expect(0, "", "compare", scratch("figure.glb"), "--frames", "3", "--pictures", str(count), "-o", page)
        pictures, text = pictures_of(page)
        check(len(pictures) == count, "%d pictures instead of %d" % (len(pictures), count))
        check(len(text) < 3e6, "the page has %d bytes" % len(text))
    expect(2, "--pictures", "compare", scratch("arm.glb"), "--pictures", "1000")


def test_one_method_and_json():
    page = scratch("one.html")
    expect(0, "", "compare", scratch("arm.glb"), "--methods", "lbs", "--frames", "2", "-o", page)
    check(len(pictures_of(page)[0]) == 1, "one method, no picture")
    plain, drawn = (run("compare", scratch("arm.glb"), "--json", *more).out for more in ([], ["-o", page]))
    check(plain and plain == drawn, "pictures change the JSON")


if __name__ == "__main__":
    if os.path.isfile(os.environ.get("SUPPLE_COMMAND", "")):
        os.makedirs(scratch(""), exist_ok=True)
        skip_without_gl()
        for name in ("arm", "figure"):
            run("fixture", name, "-o", scratch(name + ".glb"))
    main([test_arm, test_how_many, test_one_method_and_json])
