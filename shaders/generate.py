#!/usr/bin/env python3
# generate.py: turns deform.shade and the frames into what the library hands out, and into shaders to read.
#
#   python3 shaders/generate.py            writes src/shader/*.inl and shaders/generated/*
#   python3 shaders/generate.py --into DIR the same below DIR, for comparing
#   python3 shaders/generate.py --no-spirv leaves out what needs glslangValidator and spirv-opt
#
# README.md beside this file describes the form of the source and of the frames.
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LANGUAGES = {
    "glsl": {"types": {}, "suffix": "", "bits": "uintBitsToFloat", "parameter": "supple_%s"},
    "hlsl": {"types": {"vec2": "float2", "vec3": "float3", "vec4": "float4", "uvec2": "uint2", "uvec4": "uint4"},
             "suffix": "f", "bits": "asfloat", "parameter": "supple_%s"},
    "msl": {"types": {"vec2": "float2", "vec3": "float3", "vec4": "float4", "uvec2": "uint2", "uvec4": "uint4"},
            "suffix": "f", "bits": "as_type<float>", "parameter": "from.parameters->%s"},
    "wgsl": {"types": {"vec2": "vec2f", "vec3": "vec3f", "vec4": "vec4f", "uvec2": "vec2u", "uvec4": "vec4u",
                       "float": "f32", "uint": "u32"},
             "suffix": "", "bits": "bitcast<f32>", "parameter": "supple_parameters.%s"},
}
RESERVED = set("vertex kernel fragment constant device linear sample point line triangle input output active common"
               " filter target move final packed half fixed partition self this".split())


class Wrong(Exception):
    pass


# ---- the neutral form ----

def read_lines(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def expand_snippets(lines):
    """@snippet NAME … @endsnippet is taken out and put wherever @use NAME stands."""
    snippets, out, name = {}, [], None
    for line in lines:
        words = line.split()
        if words[:1] == ["@snippet"]:
            name = words[1]
            snippets[name] = []
        elif words[:1] == ["@endsnippet"]:
            name = None
        elif name:
            snippets[name].append(line)
        elif words[:1] == ["@use"]:
            out += snippets[words[1]]
        else:
            out.append(line)
    return out


class Translator:
    def __init__(self, name):
        self.name, self.language = name, LANGUAGES[name]
        self.wgsl = name == "wgsl"

    def type(self, text):
        return self.language["types"].get(text, text)

    def choose(self, text):
        """choose(c, a, b): a where c, else b; its three arguments on one line."""
        while True:
            at = re.search(r"(?<!\w)choose\(", text)
            if not at:
                return text
            parts, depth, begin, end = [], 0, at.end(), None
            for i in range(at.end(), len(text)):
                if text[i] == "," and depth == 0:
                    parts.append(text[begin:i].strip())
                    begin = i + 1
                depth += text[i] in "([" and 1 or 0
                if text[i] in ")]":
                    if depth == 0:
                        end = i
                        break
                    depth -= 1
            if end is None:
                raise Wrong("choose() must end on its line: " + text)
            condition, yes, no = parts + [text[begin:end].strip()]
            if self.wgsl:
                made = "select(%s, %s, %s)" % (no, yes, condition)
            else:
                made = "(%s ? %s : %s)" % (condition, yes, no)
            text = text[:at.start()] + made + text[end + 1:]

    def expression(self, text):
        code, comment, rest = text.partition("//")
        language = self.language
        code = self.choose(code)
        code = re.sub(r"\$(\w+)\(", lambda m: "supple_%s(%s" % (m.group(1), "from, " if self.name == "msl" else ""), code)
        code = re.sub(r"\$(\w+)", lambda m: language["parameter"] % m.group(1), code)
        code = re.sub(r"(?<![\w.])bits\(", language["bits"] + "(", code)
        code = re.sub(r"(?<![\w.])(u?vec[234]|float|uint)\(", lambda m: self.type(m.group(1)) + "(", code)
        if language["suffix"]:
            code = re.sub(r"(?<![\w.])(\d+\.\d+(e[+-]?\d+)?|\d+e[+-]?\d+)(?!\w)", r"\1" + language["suffix"], code)
        return code + comment + rest

    def declared(self, name, kind):
        if name in RESERVED:
            raise Wrong("%s is a word of some language" % name)
        return "%s: %s" % (name, self.type(kind)) if self.wgsl else "%s %s" % (self.type(kind), name)

    def parameters(self, text):
        parts = [p.strip() for p in text.split(",") if p.strip()]
        return ", ".join(self.declared(*[w.strip() for w in p.split(":")]) for p in parts)

    def header(self, name, kind):
        if self.wgsl:
            return "fn %s(" % name
        return "%s%s %s(" % ("static inline " if self.name == "msl" else "", self.type(kind), name)

    def line(self, line):
        """A statement outside structs and headers."""
        match = re.match(r"(\s*)(let|var) (\w+): (\w+)( =|;)(.*)$", line)
        if match:
            indent, word, name, kind, sign, rest = match.groups()
            lead = word + " " if self.wgsl else ""
            return indent + lead + self.declared(name, kind) + sign + self.expression(rest)
        match = re.match(r"(\s*)for \((\w+) in (\w+) \.\. (.*)\) \{$", line)
        if match:
            indent, name, begin, end = match.groups()
            end = self.expression(end)
            return "%sfor (%s = %s; %s < %s; %s++) {" % (
                indent, "var %s: u32" % name if self.wgsl else "uint %s" % name, begin, name, end, name)
        return self.expression(line)

    def translate(self, lines):
        out, inside, closing, pad = [], None, "", 0
        for number, line in enumerate(lines):
            if line.startswith("@"):
                out.append(line)
                continue
            if inside == "struct":
                if line == "}":
                    out.append("}" if self.wgsl else "};")
                    inside = None
                else:
                    declared = self.parameters(line)
                    out.append("  " + declared + ("," if self.wgsl else ";"))
                continue
            if inside == "header":
                text = line.strip()
                ends = re.match(r"(.*)\) -> (\w+) \{$", text)
                if ends:
                    out.append(" " * pad + self.parameters(ends.group(1)) + closing)
                    inside = None
                else:
                    out.append(" " * pad + self.parameters(text) + ",")
                continue
            match = re.match(r"struct (\w+) \{$", line)
            if match:
                inside = "struct"
                out.append(line)
                continue
            match = re.match(r"fn (\w+)\((.*)\) -> (\w+) \{$", line)
            if match:
                name, parameters, kind = match.groups()
                end = ") -> %s {" % self.type(kind) if self.wgsl else ") {"
                out.append(self.header(name, kind) + self.parameters(parameters) + end)
                continue
            match = re.match(r"fn (\w+)\(\$resources$", line)
            if match:
                kind = next(re.search(r"\) -> (\w+) \{$", l).group(1) for l in lines[number:] if ") -> " in l)
                closing = ") -> %s {" % self.type(kind) if self.wgsl else ") {"
                text = self.header(match.group(1), kind)
                pad, inside = len(text), "header"
                # The first parameter stands on the header's own line.
                first = "supple_resources from, " if self.name == "msl" else ""
                out.append(text + first)
                continue
            out.append(self.line(line))
        return join_headers(out)


def join_headers(lines):
    """A line that ends in "(" or "from, " takes the next one on."""
    out = []
    for line in lines:
        if out and re.search(r"(\(|from, )$", out[-1]):
            out[-1] += line.strip()
        else:
            out.append(line)
    return out


def template(name):
    """Every line of a language's shaders, conditions and all."""
    body = [l for l in expand_snippets(read_lines("deform.shade"))]
    while body and (body[0].startswith("//") or not body[0]):
        body.pop(0)  # what the file says of itself
    body = Translator(name).translate(body)
    out = []
    for line in read_lines(name + ".frame"):
        if line == "@usage":
            out += read_lines("usage.frame")
        elif line == "@body":
            out += body
        else:
            out.append(line)
    return out


# ---- conditions, as src/shader/shader_source.c has them ----

def holds(expression, flags):
    """Words are and-ed, groups of them between bars or-ed, "!" negates."""
    return any(all((word[1:] not in flags) if word[0] == "!" else word in flags for word in group.split())
               for group in expression.split("|"))


def resolve(lines, flags):
    out, stack = [], []
    for line in lines:
        if line.startswith("@if "):
            stack.append(holds(line[4:], flags))
        elif line == "@else":
            stack[-1] = not stack[-1]
        elif line == "@end":
            stack.pop()
        elif all(stack):
            out.append(line[1:] if line.startswith("@@") else line)
    if stack:
        raise Wrong("@if without @end")
    return out


KNOWN = set("glsl_330 glsl_430 glsl_450 glsl_es spirv hlsl msl wgsl vertex compute lbs affine rigid pose four eight any"
            " normals cofactor linear tangents morph storage texture uniform main".split())


def check_conditions(lines):
    depth = 0
    for line in lines:
        if line.startswith("@if "):
            depth += 1
            for word in re.findall(r"\w+", line[4:]):
                if word not in KNOWN:
                    raise Wrong("no such condition: " + word)
        elif line == "@end":
            depth -= 1
        elif line.startswith("@") and line != "@else" and not line.startswith("@@"):
            raise Wrong("what is %s?" % line)
    if depth:
        raise Wrong("@if and @end do not match")


# ---- what is written ----

def quoted(line):
    return '"%s"' % line.replace("\\", "\\\\").replace('"', '\\"')


def inl(name, lines):
    out = ["/* shader_%s.inl: the lines of every shader in %s. Written by shaders/generate.py. */" % (name, name.upper()),
           "static const char *const %s_lines[] = {" % name]
    out += ["    %s," % quoted(line) for line in lines]
    return "\n".join(out + ["    NULL};", ""])


# What is committed to be read, beside the templates: the default of each language, stage and method.
READABLE = [("glsl_330", "glsl", "glsl-330"), ("glsl_430", "glsl", "glsl-430"), ("glsl_450", "glsl", "glsl-450"),
            ("glsl_es", "glsl", "glsl-es-300"), ("hlsl", "hlsl", "hlsl"), ("msl", "msl", "msl"), ("wgsl", "wgsl", "wgsl")]
METHODS = [("lbs", "lbs"), ("dqs", "affine"), ("dqs-rigid", "rigid")]


def readable(templates):
    for flag, name, shown in READABLE:
        for stage in ("vertex", "compute"):
            if stage == "compute" and flag in ("glsl_330", "glsl_es"):
                continue
            for method, variant in METHODS:
                flags = {flag, stage, variant, "four", "normals", "cofactor", "main",
                         "texture" if flag in ("glsl_330", "glsl_es") else "storage"}
                ending = {"glsl": "vert" if stage == "vertex" else "comp", "hlsl": "hlsl", "msl": "metal",
                          "wgsl": "wgsl"}[name]
                yield "shaders/generated/%s.%s.%s.%s" % (shown, stage, method, ending), \
                    "\n".join(resolve(templates[name], flags)) + "\n"


# ---- SPIR-V ----

def spirv_modules():
    """(index in C, flags) of the modules; the order is that of supplei_spirv_index in shader_source.c."""
    for method in ("lbs", "affine", "rigid"):
        flags = {"glsl_450", "spirv", "storage", "main", "morph", method}
        yield "compute_%s_positions" % method, flags | {"compute"}
        flags.add("normals")
        yield "compute_" + method, flags | {"compute", "tangents"}
        for influences in ("four", "eight", "any"):
            for tangents in (False, True):
                yield "vertex_%s_%s%s" % (method, influences, "_tangents" if tangents else ""), \
                    flags | {"vertex", influences} | ({"tangents"} if tangents else set())


def compile_spirv(text, stage):
    with tempfile.TemporaryDirectory() as folder:
        source, module, small = (os.path.join(folder, n) for n in ("source.glsl", "module.spv", "small.spv"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        kind = "vert" if stage == "vertex" else "comp"
        done = subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.0", "-S", kind, "-o", module, source],
                              capture_output=True, text=True)
        if done.returncode:
            raise Wrong(done.stdout + done.stderr)
        subprocess.run(["spirv-opt", "-O", "--strip-debug", module, "-o", small], check=True)
        with open(small, "rb") as file:
            data = file.read()
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def versions():
    """What wrote the modules: others may write others, as good."""
    glslang = subprocess.run(["glslangValidator", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    tools = subprocess.run(["spirv-opt", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    return "%s; %s" % (glslang.strip(), tools.strip())


def spirv_inl(glsl):
    out = ["/* shader_spirv.inl: the SPIR-V modules, as words. Written by shaders/generate.py with",
           " * %s */" % versions()]
    rows = []
    for name, flags in spirv_modules():
        words = compile_spirv("\n".join(resolve(glsl, flags)) + "\n", "vertex" if "vertex" in flags else "compute")
        out.append("static const uint32_t spirv_%s[%d] = {" % (name, len(words)))
        for i in range(0, len(words), 10):
            out.append("    " + ", ".join("0x%x" % w for w in words[i:i + 10]) + ",")
        out.append("};")
        rows.append("    {spirv_%s, %d}," % (name, len(words)))
    out.append("static const spirv_module spirv_modules[] = {")
    return "\n".join(out + rows + ["};", ""])


def write(root, path, text):
    whole = os.path.join(root, path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def generate(root, spirv):
    templates = {name: template(name) for name in LANGUAGES}
    for name, lines in templates.items():
        check_conditions(lines)
        write(root, "src/shader/shader_%s.inl" % name, inl(name, lines))
    for path, text in readable(templates):
        write(root, path, text)
    if spirv:
        write(root, "src/shader/shader_spirv.inl", spirv_inl(templates["glsl"]))


def main():
    arguments = sys.argv[1:]
    root = os.path.dirname(HERE)
    if "--into" in arguments:
        root = arguments[arguments.index("--into") + 1]
    try:
        generate(root, "--no-spirv" not in arguments)
    except (Wrong, OSError) as error:
        print("generate.py: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
