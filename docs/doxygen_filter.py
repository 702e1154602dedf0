# doxygen_filter.py: a header with plain comments, as Doxygen wants it: doxygen_filter.py FILE, on stdout.
#
# Public headers are written to be read as they are. The rules by which their comments belong to declarations:
#  - the first comment speaks of the file;
#  - a comment on lines of its own speaks of the declarations that follow without an empty line or another comment;
#  - a comment behind a declaration, on its line, speaks of that declaration;
#  - a comment "---- title ----" begins a section; more text in it speaks of what follows;
#  - within parentheses and function bodies comments are left alone.
# With --check it prints instead, as FILE:LINE, every public declaration that no comment speaks of.
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\n[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\n|[^\S\n]+|'
                   r'\w+|.', re.S)


class Declaration:
    """A piece of code between comments, and the comment that speaks of it."""

    def __init__(self, line, documented):
        self.line, self.end_line = line, None
        self.text, self.documented = "", documented


def comment_text(comment):
    """The words of a comment, line by line, without its frame."""
    body = comment[2:-2] if comment.startswith("/*") else comment[2:]
    lines = [re.sub(r"^\s*\* ?|^\s{3,}", "", line) if i else line.strip() for i, line in enumerate(body.split("\n"))]
    lines = [re.sub(r"^ *-{4} (.*?) -{4} *$", "", line) for line in lines]
    return "\n".join(lines).strip("\n").rstrip()


def escape(text):
    """Markdown and HTML lose their meaning, but for `code`."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        part = parts[i].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        part = re.sub(r"([\\@#*|])", r"\\\1", part)
        # "  word  explanation" is an entry of a list
        part = re.sub(r"(?m)^ {1,3}(\S+) {2,}(?=\S)", r" - **\1**: ", part)
        # a line indented by four would be code
        parts[i] = re.sub(r"(?m)^ {4,}", "   ", part)
    return "`".join(parts) if len(parts) % 2 else text


def doxygen(comment, command=""):
    """One comment for Doxygen; `command` goes into its first line, and names what the text need not name again."""
    text = comment_text(comment)
    if command:
        text = re.sub(r"^[\w.]+: (\w)", lambda match: match.group(1).upper(), text)
    return "/** %s%s */" % (command + "\n" if command else "", escape(text).replace("*/", "* /"))


def split(text):
    """(token, line) of a header."""
    line = 1
    for match in TOKEN.finditer(text):
        yield match.group(), line
        line += match.group().count("\n")


class Reader:
    """Walks over a header once, and gathers pieces of output: text, and declarations before their own text."""

    def __init__(self, name, text):
        self.name, self.output, self.declarations = name, [], []
        self.open = None      # the declaration being read
        self.last = None      # the one that ended last
        self.group = None     # the comment that speaks of what follows
        self.braces = []      # (kind, declaration) of each open brace; kinds: extern, record, enum, body
        self.parentheses = 0
        self.first = True     # no comment came yet
        self.empty = True     # nothing on this line so far
        for token, line in split(text):
            if token.startswith(("/*", "//")):
                self.take_comment(token, line)
            elif re.match(r"\n[ \t]*#", token):
                self.take_directive(token, line)
            elif token.isspace():
                self.take_space(token)
            else:
                self.take_code(token, line)

    def kind(self):
        return self.braces[-1][0] if self.braces else ""

    def begin(self, line):
        """A declaration begins: its comment will stand before what follows in the output."""
        documented, self.group = self.group, None if self.kind() in ("record", "enum") else self.group
        declaration = Declaration(line, documented)
        self.output.append(declaration)
        return declaration

    def end(self, line):
        if self.open is not None:
            self.open.end_line = line
            if not re.match(r'(};?$|extern "C")', self.open.text.strip()):
                self.declarations.append(self.open)
            # What is freed has its own rules: no comment on other things speaks of it.
            if self.open.documented is self.group and re.search(r"_(destroy|free) ?\(", self.open.text) and \
                    self.last and self.last.documented is self.group:
                self.open.documented = None
            self.last, self.open = self.open, None

    def take_space(self, token):
        if token == "\n":
            if self.empty and self.open is None:
                self.group = None  # an empty line ends what a comment speaks of
            self.empty = True
        self.output.append(token)

    def take_comment(self, token, line):
        alone, self.empty = self.empty, False
        lines = re.sub(r"[^\n]", "", token)
        target = self.open or self.last
        if self.first:
            self.first = False
            self.output.append(doxygen(token, "@file " + self.name))
        elif self.kind() == "body" or self.parentheses or token.startswith("//"):
            self.output.append(token)
        elif alone and self.open is None:
            self.group = token if comment_text(token).strip() else None
            self.output.append(lines)
        elif self.open or (target and target.end_line == line):
            target.documented = token
            self.output.append(lines)
        else:
            self.output.append(token)

    def take_directive(self, token, line):
        self.take_space("\n")
        self.empty = False
        token = token[1:]
        if re.match(r"[ \t]*#[ \t]*define[ \t]", token):
            outer, self.open = self.open, self.begin(line + 1)
            behind = re.search(r"/\*.*?\*/", token, re.S)
            if behind:
                self.open.documented, token = behind.group(), token.replace(behind.group(), "")
            self.open.text = token
            self.end(line + 1)
            self.open = outer
        self.output.append(token)

    def take_code(self, token, line):
        self.empty = False
        if self.open is None and token not in "};,":
            self.open = self.begin(line)
        if self.open is not None and self.kind() != "body":
            self.open.text += token if token in "()*,;:[]" else token + " "
        self.output.append(token)
        if token == "{":
            self.take_open_brace()
        elif token == "}":
            self.take_close_brace(line)
        elif self.kind() != "body":
            self.parentheses += {"(": 1, ")": -1}.get(token, 0)
            if token == "," and self.kind() == "record" and not self.parentheses:
                self.output.append(self.open)  # "int a, b;": the comment once more, before b
            if not self.parentheses and (token == ";" or (token == "," and self.kind() == "enum")):
                self.end(line)

    def take_open_brace(self):
        text = self.open.text if self.open else ""
        match = re.match(r'(extern) "C"|(?:typedef )?(enum|struct|union)\b', text)
        kind = "body" if not match or self.kind() == "body" else match.group(1) or match.group(2)
        kind = {"struct": "record", "union": "record"}.get(kind, kind)
        self.braces.append((kind, self.open))
        if kind != "body":
            self.open, self.group = None, None

    def take_close_brace(self, line):
        kind, declaration = self.braces.pop() if self.braces else ("extern", None)
        if kind == "body":
            if self.kind() != "body":
                self.end(line)
            return
        self.end(line)  # an enumerator without a comma
        # what follows up to the semicolon belongs to the declaration that the brace was opened in
        self.open, self.group = (None if kind == "extern" else declaration), None

    def result(self):
        pieces = []
        for piece in self.output:
            if not isinstance(piece, Declaration):
                pieces.append(piece)
            elif piece.documented:
                comment = doxygen(piece.documented)
                pieces.append(comment + ("\n" if piece.text.lstrip().startswith("#") else " "))
        return "".join(pieces)

    def undocumented(self):
        """Declarations of ours that nothing speaks of."""
        for declaration in self.declarations:
            text = declaration.text.strip()
            guard = re.match(r"#\s*define\s+\w+_H\s*$", text)
            forward = re.fullmatch(r"(struct|union)\s+\w+\s*;", text)
            if not declaration.documented and not guard and not forward and text != ";":
                yield declaration.line, " ".join(text.split())[:70]


def read(path):
    with open(path, encoding="utf-8") as file:
        return Reader(path.replace("\\", "/").split("/")[-1], file.read())


def main(arguments):
    if arguments[:1] == ["--check"]:
        found = [(path, line, text) for path in arguments[1:] for line, text in read(path).undocumented()]
        for path, line, text in found:
            print("%s:%d: no comment speaks of: %s" % (path, line, text))
        return 1 if found else 0
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(read(arguments[0]).result())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
