# test_firefox.py: the page of `supple view` in Firefox, where it starts: the read-outs of the arm are the design's, and a KTX2
# texture has its colours.
#
# Firefox is driven by Marionette, its own protocol: texts of JSON, each after its length and a colon.
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

COMMAND, SCRATCH = os.environ["SUPPLE_COMMAND"], os.environ["SUPPLE_SCRATCH"]
KTX2 = os.path.join(os.environ["SUPPLE_SOURCE_DIR"], "web", "test", "ktx2.mjs")
EXPECTED = {"section-lbs": "0.00 %", "section-dqs": "100.00 %", "volume-lbs": "84.948 %", "volume-dqs": "99.904 %"}


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


class Marionette:
    def __init__(self, port, seconds):
        end = time.monotonic() + seconds
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=90)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)
        self.number = 0
        self.receive()  # it introduces itself

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                raise OSError("Firefox ended")
            length += byte
        left, text = int(length[:-1]), b""
        while left > len(text):
            text += self.socket.recv(left - len(text))
        return json.loads(text)

    def call(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, problem, result = self.receive()
        if problem:
            raise RuntimeError("%s: %s" % (name, problem.get("message")))
        return result

    def script(self, text):
        return self.call("WebDriver:ExecuteScript", script=text, args=[])["value"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def shown(browser, page, state):
    """Whether the page is there."""
    browser.call("WebDriver:Navigate", url="file://%s#%s" % (page, state))
    for _ in range(120):
        if browser.script("return document.documentElement.dataset.ready") == "true":
            return True
        time.sleep(0.5)
    return False


def message(browser):
    return browser.script("return document.getElementById('message').textContent")


def look(browser, page):
    found = {}
    for _ in range(120 if shown(browser, page, "clip=0&t=1&joint=0.1") else 0):
        found = browser.script("return Object.fromEntries(%s.map((id) => [id, document.getElementById(id).textContent]))"
                               % json.dumps(list(EXPECTED)))
        if found == EXPECTED:
            break
        time.sleep(0.5)
    return found, message(browser)


def make_worn(arm, worn):
    """The arm wearing a KTX2 texture; the points where its colours are seen, and these."""
    script = """import { readFileSync, writeFileSync } from 'node:fs';
import { colors, ktx2, quarters, wearing } from %s;
writeFileSync(%s, wearing(readFileSync(%s), ktx2()));
console.log(JSON.stringify([quarters, colors]));""" % tuple(map(json.dumps, (KTX2, worn, arm)))
    return json.loads(subprocess.run(["node", "--input-type=module", "-e", script], check=True, stdout=subprocess.PIPE).stdout)


def colors_at(browser, points):
    """Of both halves, one after the other."""
    return browser.script("""const { stage } = window.supplePage, gl = stage.renderer.getContext(), found = [];
stage.invalidate();
stage.draw();
for (const half of [0, 1])
  for (const at of %s) {
    const { x, y } = stage.camera.position.clone().set(...at).project(stage.camera), color = new Uint8Array(4);
    gl.readPixels(((x + 1) / 2 + half) * gl.drawingBufferWidth / 2, (y + 1) / 2 * gl.drawingBufferHeight, 1, 1,
      gl.RGBA, gl.UNSIGNED_BYTE, color);
    found.push([...color.slice(0, 3)]);
  }
return found;""" % json.dumps(points))


def look_at_texture(browser, arm):
    if not shutil.which("node"):
        print("skipped: node is not here, which makes the texture")
        return
    worn, page = os.path.join(SCRATCH, "worn.glb"), os.path.join(SCRATCH, "worn.html")
    points, colors = make_worn(arm, worn)
    subprocess.run([COMMAND, "view", worn, "-o", page], check=True)
    if not shown(browser, page, "clip=-1&sections=0"):
        sys.exit("the page with a KTX2 texture does not come: %s" % message(browser))
    found = colors_at(browser, points)
    print(found)
    if message(browser) or any(abs(a - b) > 6 for one, other in zip(found, colors * 2) for a, b in zip(one, other)):
        sys.exit("expected the colours %s; the page says: %s" % (colors, message(browser)))


def main():
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if not firefox:
        skip("Firefox is not here")
    arm, page = os.path.join(SCRATCH, "arm.glb"), os.path.join(SCRATCH, "arm.html")
    subprocess.run([COMMAND, "fixture", "arm", "-o", arm], check=True)
    if subprocess.run([COMMAND, "view", arm, "-o", page]).returncode:
        skip("this build carries no page")
    profile, port = os.path.join(SCRATCH, "profile"), free_port()
    shutil.rmtree(profile, ignore_errors=True)
    os.makedirs(profile)
    with open(os.path.join(profile, "user.js"), "w", encoding="utf-8") as file:
        for name, value in (("marionette.port", port), ("webgl.force-enabled", True), ("network.dns.disabled", True),
                            ("app.update.enabled", False), ("datareporting.policy.dataSubmissionEnabled", False),
                            ("ui.prefersReducedMotion", 1)):
            file.write("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)))
    # Without a window Firefox may have no WebGL; a display that nobody sees helps.
    around, how = (["xvfb-run", "-a"], []) if shutil.which("xvfb-run") else ([], ["--headless"])
    environment = dict(os.environ, HOME=SCRATCH, LIBGL_ALWAYS_SOFTWARE="1")
    program = subprocess.Popen([*around, firefox, *how, "--marionette", "--no-remote", "--profile", profile],
                               start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        try:
            browser = Marionette(port, 60)
        except OSError as problem:
            skip("Firefox does not start: %s" % problem)
        browser.call("WebDriver:NewSession", capabilities={})
        found, told = look(browser, page)
        if not browser.script("return !!document.createElement('canvas').getContext('webgl2')"):
            skip("this Firefox has no WebGL 2")
        print(found)
        if found != EXPECTED:
            sys.exit("expected %s; the page says: %s" % (EXPECTED, told))
        look_at_texture(browser, arm)
    finally:
        os.killpg(program.pid, signal.SIGTERM)
        program.wait()


main()
