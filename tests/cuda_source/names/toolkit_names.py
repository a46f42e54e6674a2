# SPDX-License-Identifier: Apache-2.0
"""The names that headers of C++ declare: a reader of preprocessed text that knows just enough of the grammar.

Of each declaration at namespace scope it yields (kind, scope, name, parameters): kind is function, type, variable,
enumerator, alias, member or macro; scope the namespaces and classes around it, joined by ::.
"""
import re

TOKEN = re.compile(r'''(?P<line>^\#[^\n]*\n?)|(?P<space>\s+)|(?P<string>L?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|
                       (?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)|(?P<name>[A-Za-z_]\w*)|(?P<punct>::|->|\.\.\.|<<=|==|!=|<=|>=|&&|\|\||[^\s\w])''',
                   re.M | re.X)
CLOSERS = {"(": ")", "[": "]", "{": "}"}
NO_NAMES = {"__attribute__", "__declspec", "decltype", "noexcept", "alignas", "__align__", "requires", "__launch_bounds__",
            "explicit", "throw", "asm", "__asm__", "sizeof", "static_assert", "_Static_assert", "if", "while", "for",
            "switch", "return", "__declspec__", "deprecated", "__extension__"}


def tokens_of(text, wanted):
    """(text, file wanted?) of each token; macros that wanted files define come as ("#define NAME", True)."""
    take = False
    out = []
    for m in TOKEN.finditer(text):
        if m.lastgroup == "space":
            continue
        if m.lastgroup == "line":
            line = m.group()
            if place := re.match(r'#\s+\d+\s+"([^"]*)"', line):
                take = wanted(place.group(1))
            elif take and (macro := re.match(r"#define\s+(\w+)(\(?)", line)):
                out.append((f"#{macro.group(1)}", True))
            continue
        out.append((m.group(), take))
    return out


class reader:
    def __init__(self, text, wanted):
        self.t = tokens_of(text, wanted)
        self.at = 0
        self.found = []
        self.macros = []
        plain = []
        for text_, take in self.t:
            if text_.startswith("#") and len(text_) > 1:
                self.macros.append(text_[1:])
            else:
                plain.append((text_, take))
        self.t = plain

    def peek(self, n=0):
        return self.t[self.at + n][0] if self.at + n < len(self.t) else ""

    def skip_group(self, at):
        """Behind the bracket that closes the one at `at`."""
        depth = 0
        while at < len(self.t):
            c = self.t[at][0]
            if c in "([{" and c:
                depth += 1
            elif c in ")]}" and c:
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        return at

    def skip_angles(self, at):
        """Behind the one that closes the one at `at`, or behind that one alone: it compares."""
        depth, begin = 0, at
        while at < len(self.t):
            c = self.t[at][0]
            if c in (";", "{", "}"):
                return begin + 1
            if c in ("(", "["):
                at = self.skip_group(at)
                continue
            if c == "<":
                depth += 1
            elif c == ">":
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        return at

    def add(self, kind, scope, name, take, parameters=None, template=False):
        if take and re.fullmatch(r"~?[A-Za-z_]\w*", name):
            self.found.append((kind, "::".join(scope), name, parameters, template))

    def read(self, scope=(), in_class=False):
        """Declarations up to a closing brace or the end."""
        visible = not in_class or in_class == "struct"
        while self.at < len(self.t):
            word, take = self.t[self.at]
            if word == "}":
                self.at += 1
                return
            if word == ";":
                self.at += 1
                continue
            if in_class and word in ("public", "private", "protected") and self.peek(1) == ":":
                visible = word == "public"
                self.at += 2
                continue
            if word == "extern" and self.peek(1).startswith('"'):
                self.at += 2
                if self.peek() == "{":
                    self.at += 1
                    self.read(scope, in_class)
                continue
            if word == "inline" and self.peek(1) == "namespace":
                self.at += 1
                continue
            if word == "namespace":
                self.read_namespace(scope)
                continue
            self.declaration(scope, in_class, take and visible)

    def read_namespace(self, scope):
        inline = self.at > 0 and self.t[self.at - 1][0] == "inline"
        self.at += 1
        names = []
        while self.peek() not in ("{", "=", ""):
            if self.peek() in ("[", "(") or self.peek().startswith("__attribute"):
                self.at = self.skip_group(self.at + (0 if self.peek() in ("[", "(") else 1))
                continue
            if self.peek() != "::":
                names.append(self.peek())
            self.at += 1
        if self.peek() == "=":  # an alias
            while self.peek() not in (";", ""):
                self.at += 1
            return
        self.at += 1
        hidden = inline or not names
        self.read(scope if hidden else scope + tuple(names))

    def declaration(self, scope, in_class, take):
        template = False
        begin = self.at
        while self.peek() == "template":
            template = True
            self.at = self.skip_angles(self.at + 1) if self.peek(1) == "<" else self.at + 1
        if self.peek() == "using":
            return self.alias(scope, take, template)
        typedef = self.peek() == "typedef"
        if typedef:
            self.at += 1
        name = parameters = None  # of a function
        last = None  # the last name: a variable's
        kind = "variable"
        names = []
        while self.at < len(self.t):
            c = self.peek()
            if c in ("struct", "class", "union", "enum") and name is None:
                if self.type_head(scope, c, take, template):
                    continue
                last = "type"
                continue
            if c == ";":
                self.at += 1
                break
            if c == "}":
                break
            if c == "{":
                if name is None and last and not typedef:
                    names.append(last)
                self.at = self.skip_group(self.at)
                if self.peek() not in (",", ";"):
                    break
                continue
            if c == "operator":
                name = ""
                self.at += 1
                if self.peek() == "(":  # of calls
                    self.at += 2
                while self.peek() not in ("(", ""):
                    self.at += 1
                self.at = self.skip_group(self.at)
                continue
            if c == "=" and name is None:
                if last and not typedef:
                    names.append(last)
                    last = None
                while self.peek() not in (";", ",", ""):
                    self.at = self.skip_group(self.at) if self.peek() in "([{" else self.at + 1
                continue
            if c == "," and name is None:
                if last:
                    names.append(last)
                self.at += 1
                last = None
                continue
            if c == "[":
                self.at = self.skip_group(self.at)
                continue
            if c == "<":
                self.at = self.skip_angles(self.at)
                continue
            if c == ":" and name is not None:  # what a constructor initialises
                while self.peek() not in ("{", ";", ""):
                    self.at = self.skip_group(self.at) if self.peek() == "(" else self.at + 1
                continue
            if c == "(":
                before = self.t[self.at - 1][0] if self.at > begin else ""
                end = self.skip_group(self.at)
                inner = [x[0] for x in self.t[self.at + 1:end - 1]]
                is_pointer = inner[:1] == ["*"] or (typedef and "*" in inner[:3] and end < len(self.t) and
                                                    self.t[end][0] == "(")
                if before in NO_NAMES or is_pointer or not re.match(r"[A-Za-z_]", before):
                    if name is None and is_pointer:
                        words = [x for x in inner if re.match(r"[A-Za-z_]", x)]
                        last = words[-1] if words else last
                        self.at = end
                        if self.peek() == "(":
                            self.at = self.skip_group(self.at)
                        continue
                    self.at = end
                    continue
                if name is None:
                    name, parameters, kind = before, self.t[self.at + 1:end - 1], "function"
                self.at = end
                continue
            if re.match(r"[A-Za-z_]", c) and c not in NO_NAMES:
                last = c
            self.at += 1
        if self.at == begin:
            self.at += 1
        if typedef:
            for n in names + ([name or last] if (name or last) else []):
                self.add("alias", scope, n, take)
            return
        if name is not None:
            if name and not (in_class and scope and name == scope[-1]):
                self.add("member" if in_class else "function", scope, name, take, [p[0] for p in parameters], template)
            return
        for n in names + ([last] if last and last != "type" else []):
            self.add("field" if in_class else "variable", scope, n, take, None, template)

    def alias(self, scope, take, template):
        self.at += 1
        words = []
        while self.peek() not in (";", "=", ""):
            words.append(self.peek())
            self.at += 1
        if words and words[0] != "namespace":
            name = words[0] if self.peek() == "=" else words[-1]
            self.add("alias", scope, name, take, None, template)
        while self.peek() not in (";", ""):
            self.at = self.skip_group(self.at) if self.peek() in ("(", "[", "{") else self.at + 1

    def type_head(self, scope, kind, take, template):
        """At struct, class, union or enum. True where a body was read."""
        self.at += 1
        if kind == "enum" and self.peek() in ("class", "struct"):
            self.at += 1
            kind = "enum class"
        name = None
        specialised = False
        while self.peek() not in ("{", ";", ":", "(", ")", ",", "=", "*", "&", ""):
            if self.peek() in NO_NAMES:
                self.at = self.skip_group(self.at + 1) if self.peek(1) == "(" else self.at + 1
                continue
            if self.peek() == "[":
                self.at = self.skip_group(self.at)
                continue
            if self.peek() == "<":
                self.at = self.skip_angles(self.at)
                specialised = True
                continue
            if self.peek(0) == "::":
                self.at += 1
                continue
            if name is not None and self.peek() not in ("final",) and re.match(r"[A-Za-z_]", self.peek()):
                if self.peek(1) not in ("{", ":", "<", "final", "::") :
                    return False  # `struct tag name`: a declaration that uses the type
            if self.peek() != "final":
                name = self.peek()
            self.at += 1
        if self.peek() in (")", ",", "(", "=", "*", "&"):
            return False
        if self.peek() == ";":
            if name:
                self.add("type", scope, name, take, None, template)
            return True
        if self.peek() == ":":
            while self.peek() not in ("{", ";", ""):
                self.at = self.skip_angles(self.at) if self.peek() == "<" else self.at + 1
        if self.peek() != "{":
            return True
        if name and not specialised:
            self.add("type", scope, name, take, None, template)
        if kind.startswith("enum"):
            end = self.skip_group(self.at)
            inner = scope + (name,) if kind == "enum class" and name else scope
            self.at += 1
            expect = True
            while self.at < end - 1:
                c = self.peek()
                if expect and re.match(r"[A-Za-z_]", c):
                    self.add("enumerator", inner, c, take)
                    expect = False
                elif c == ",":
                    expect = True
                elif c in ("(", "[", "{"):
                    self.at = self.skip_group(self.at)
                    continue
                self.at += 1
            self.at = end
            return True
        self.at += 1
        if specialised or (template and name is None):
            depth_scope = scope + ("<specialised>",)
        else:
            depth_scope = scope + ((name or "<unnamed>") + ("<>" if template else ""),)
        self.read(depth_scope, "struct" if kind in ("struct", "union") else "class")
        return True


def names_in(text, wanted):
    r = reader(text, wanted)
    while r.at < len(r.t):
        r.read()
    return r.found, r.macros
