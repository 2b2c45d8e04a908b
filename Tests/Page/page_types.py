"""Writes the types that the page's scripts are checked against: the elements of its HTML by their ids, the server's
answers and requests by openapi.json, and the advice that the server makes a script of."""
import html.parser, json, re

ELEMENTS = {
    "a": "HTMLAnchorElement", "audio": "HTMLAudioElement", "button": "HTMLButtonElement", "canvas": "HTMLCanvasElement",
    "details": "HTMLDetailsElement", "dialog": "HTMLDialogElement", "fieldset": "HTMLFieldSetElement",
    "form": "HTMLFormElement", "img": "HTMLImageElement", "input": "HTMLInputElement", "link": "HTMLLinkElement",
    "meter": "HTMLMeterElement", "ol": "HTMLOListElement", "progress": "HTMLProgressElement",
    "select": "HTMLSelectElement", "table": "HTMLTableElement", "textarea": "HTMLTextAreaElement",
    "ul": "HTMLUListElement",
}


class Ids(html.parser.HTMLParser):
    """Collects the types of elements with an id, and the ids of screens."""

    def __init__(self):
        super().__init__()
        self.types, self.screens = {}, []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if "id" not in named:
            return
        if named["id"] in self.types:
            raise SystemExit(f"two elements of the page have the id {named['id']}")
        self.types[named["id"]] = ELEMENTS.get(tag, "HTMLElement")
        if "screen" in (named.get("class") or "").split():
            self.screens.append(named["id"])


def elements(documents):
    """Returns the declarations for the ids of HTML documents."""
    ids = Ids()
    for document in documents:
        ids.feed(document)
    members = "".join(f'    "{name}": {kind};\n' for name, kind in ids.types.items())
    screens = " | ".join(f'"{name}"' for name in ids.screens)
    return f"interface PageElements {{\n{members}}}\ntype PageScreen = {screens};\n"


def type_of(schema, depth=1):
    """Returns the type of a JSON schema."""
    if "$ref" in schema:
        return f'Schemas["{schema["$ref"].rpartition("/")[2]}"]'
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    for key, sign in (("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")):
        if key in schema:
            parts = [f"({type_of(each, depth)})" for each in schema[key]]
            if "properties" in schema:
                parts.append(object_of(schema, depth))
            return sign.join(parts)
    kinds = schema.get("type", "object" if "properties" in schema else None)
    return " | ".join(kind_of(kind, schema, depth) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def kind_of(kind, schema, depth):
    if kind == "array":
        return f'Array<{type_of(schema.get("items", {}), depth)}>'
    if kind == "object":
        return object_of(schema, depth)
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}.get(kind, "any")


def object_of(schema, depth):
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    if not properties:
        return f"Record<string, {type_of(others, depth) if isinstance(others, dict) else 'any'}>"
    indent, required = "    " * depth, schema.get("required", [])
    members = (
        f'{indent}    {json.dumps(name)}{"" if name in required else "?"}: {type_of(each, depth + 1)};\n'
        for name, each in properties.items()
    )
    return "{\n" + "".join(members) + indent + "}"


def answers(description):
    """Returns the declarations for schemas, and for the bodies of operations by their ids."""
    asked, answered = {}, {}
    for operations in description["paths"].values():
        for operation in operations.values():
            if not isinstance(operation, dict) or "operationId" not in operation:
                continue
            name, body = operation["operationId"], json_of(operation.get("requestBody", {}), description)
            if body is not None:
                asked[name] = body
            for code, response in operation["responses"].items():
                body = json_of(response, description) if code.startswith("2") else None
                if body is not None:
                    answered.setdefault(name, body)
    named = (("Schemas", description["components"]["schemas"]), ("Asked", asked), ("Answered", answered))
    return "".join(
        f"interface {title} {{\n" + "".join(f'    "{name}": {type_of(each)};\n' for name, each in types.items()) + "}\n"
        for title, types in named
    )


def json_of(body, description):
    """Returns the schema of a body in JSON. None if it has other content."""
    if "$ref" in body:
        kind, name = body["$ref"].split("/")[-2:]
        body = description["components"][kind][name]
    return body.get("content", {}).get("application/json", {}).get("schema")


def advice(swift):
    """Returns the declaration of the script that the server makes of `Advice`."""
    names = re.findall(r'entry\(\s*"(\w+)"', swift)
    members = "".join(f"    {name}: {{ title: string; detail: string }};\n" for name in names)
    return f"export const troubles: {{\n{members}}};\n"
