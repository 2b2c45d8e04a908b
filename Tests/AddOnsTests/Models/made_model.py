"""A small Whisper model with made-up weights, as CTranslate2 and whisper.cpp write one: prints the hashes that MadeModel expects.

It is written from the two formats, apart from the converter in Swift: python3 Tests/AddOnsTests/Models/made_model.py"""
import hashlib
import math
import struct

STATE, LAYERS, WIDE, VOCABULARY, SOUND, TEXT = 64, 2, 32, 40, 6, 5
TOKENS = [b"a", b"", bytes([0xC3]), b" the"]


def halves(seed, count):
    """Numbers in half precision: sign, exponent and fraction from a generator of Knuth's."""
    out = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        bits = seed >> 40
        out.append((bits & 1) << 15 | (8 + (bits >> 1) % 8) << 10 | (bits >> 5) % 1024)
    return seed, out


def shapes():
    """The arrays of the model in CTranslate2's file, in its order: by name."""
    all = {}
    for side, length in (("encoder", SOUND), ("decoder", TEXT)):
        all[f"{side}/position_encodings/encodings"] = [length, STATE]
        all[f"{side}/layer_norm/beta"] = all[f"{side}/layer_norm/gamma"] = [STATE]
        for layer in range(LAYERS):
            at = f"{side}/layer_{layer}"
            norms = [f"{at}/ffn/layer_norm", f"{at}/self_attention/layer_norm"]
            linears = {f"{at}/ffn/linear_0": (WIDE, STATE), f"{at}/ffn/linear_1": (STATE, WIDE),
                       f"{at}/self_attention/linear_0": (3 * STATE, STATE), f"{at}/self_attention/linear_1": (STATE, STATE)}
            if side == "decoder":
                norms.append(f"{at}/attention/layer_norm")
                linears |= {f"{at}/attention/linear_0": (STATE, STATE), f"{at}/attention/linear_1": (2 * STATE, STATE),
                            f"{at}/attention/linear_2": (STATE, STATE)}
            for name in norms:
                all[f"{name}/gamma"] = all[f"{name}/beta"] = [STATE]
            for name, shape in linears.items():
                all[f"{name}/weight"], all[f"{name}/bias"] = list(shape), [shape[0]]
    all["encoder/conv1/weight"], all["encoder/conv1/bias"] = [STATE, 80, 3], [STATE]
    all["encoder/conv2/weight"], all["encoder/conv2/bias"] = [STATE, STATE, 3], [STATE]
    all["decoder/embeddings/weight"] = [VOCABULARY, STATE]
    return dict(sorted(all.items()))


def text(name):
    return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"


def ct2(arrays):
    """CTranslate2's file: arrays and, as every such file has one, a setting that is no array of halves."""
    out = struct.pack("<I", 6) + text("WhisperSpec") + struct.pack("<II", 3, len(arrays) + 1)
    out += text("decoder/scale_embeddings") + struct.pack("<BBI", 0, 1, 1) + b"\0"
    for name, (shape, values) in arrays.items():
        out += text(name) + struct.pack("<B", len(shape)) + struct.pack(f"<{len(shape)}I", *shape)
        out += struct.pack("<BI", 4, 2 * len(values)) + struct.pack(f"<{len(values)}H", *values)
    return out


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def number(half):
    return struct.unpack("<e", struct.pack("<H", half))[0]


def filters():
    """librosa's mel filters: Slaney's scale, triangles in 64 bits rounded to 32, times the norm, rounded again."""
    step = math.log(6.4) / 27
    first = 1000 / (200 / 3)
    last = first + math.log(8) / step
    corners = []
    for band in range(82):
        mel = last if band == 81 else band * (last / 81)
        corners.append(1000 * math.exp(step * (mel - first)) if mel >= first else 200 / 3 * mel)
    out = []
    for band in range(80):
        low, middle, high = corners[band:band + 3]
        for index in range(201):
            at = index * 40.0
            side = max(0.0, min((at - low) / (middle - low), (high - at) / (high - middle)))
            out.append(single(single(side + 0.0) * (2 / (high - low))))
    return struct.pack(f"<{len(out)}f", *out)


def quantised(values):
    out = b""
    for at in range(0, len(values), 32):
        row = [number(v) for v in values[at:at + 32]]
        scale = single(max(map(abs, row)) / 127)
        factor = single(1 / scale) if scale else 0.0
        products = [single(v * factor) for v in row]
        out += struct.pack("<e", scale) + struct.pack("<32b", *(int(math.copysign(math.floor(abs(p) + 0.5), p)) for p in products))
    return out


def tensor(name, shape, values, kind):
    full = len(shape) == 1 or name.endswith("positional_embedding")
    if name in ("encoder.conv1.bias", "encoder.conv2.bias"):
        shape = shape + [1]
    type = 0 if full else 8 if kind == "q8" and len(shape) == 2 else 1
    out = struct.pack("<3i", len(shape), len(name), type) + struct.pack(f"<{len(shape)}i", *reversed(shape)) + name.encode()
    if type == 0:
        return out + struct.pack(f"<{len(values)}f", *map(number, values))
    return out + (quantised(values) if type == 8 else struct.pack(f"<{len(values)}H", *values))


def ggml(arrays, kind):
    out = struct.pack("<12i", 0x67676D6C, VOCABULARY, SOUND, STATE, STATE // 64, LAYERS, TEXT, STATE, STATE // 64, LAYERS, 80,
                      2007 if kind == "q8" else 1)
    out += struct.pack("<2i", 80, 201) + filters() + struct.pack("<i", len(TOKENS))
    for token in TOKENS:
        out += struct.pack("<i", len(token)) + token

    def put(name, source, rows=None):
        nonlocal out
        shape, values = arrays[source]
        if rows is not None:
            row = len(values) // shape[0]
            values, shape = values[rows * STATE * row:(rows + 1) * STATE * row], [STATE] + shape[1:]
        out += tensor(name, shape, values, kind)

    def both(name, source, names=("weight", "bias"), rows=None):
        for mine, theirs in zip(("weight", "bias"), names):
            put(f"{name}.{mine}", f"{source}/{theirs}", rows)

    def norm(name, source):
        both(name, source, ("gamma", "beta"))

    def block(side, layer):
        name, source = f"{side}.blocks.{layer}", f"{side}/layer_{layer}"
        norm(f"{name}.mlp_ln", f"{source}/ffn/layer_norm")
        both(f"{name}.mlp.0", f"{source}/ffn/linear_0")
        both(f"{name}.mlp.2", f"{source}/ffn/linear_1")
        norm(f"{name}.attn_ln", f"{source}/self_attention/layer_norm")
        own = f"{source}/self_attention/linear_0"
        both(f"{name}.attn.query", own, rows=0)
        put(f"{name}.attn.key.weight", f"{own}/weight", 1)
        both(f"{name}.attn.value", own, rows=2)
        both(f"{name}.attn.out", f"{source}/self_attention/linear_1")
        if side == "decoder":
            norm(f"{name}.cross_attn_ln", f"{source}/attention/layer_norm")
            both(f"{name}.cross_attn.query", f"{source}/attention/linear_0")
            put(f"{name}.cross_attn.key.weight", f"{source}/attention/linear_1/weight", 0)
            both(f"{name}.cross_attn.value", f"{source}/attention/linear_1", rows=1)
            both(f"{name}.cross_attn.out", f"{source}/attention/linear_2")

    put("decoder.positional_embedding", "decoder/position_encodings/encodings")
    put("encoder.positional_embedding", "encoder/position_encodings/encodings")
    put("decoder.token_embedding.weight", "decoder/embeddings/weight")
    for layer in range(LAYERS):
        block("decoder", layer)
    norm("decoder.ln", "decoder/layer_norm")
    for name in ("conv1", "conv2"):
        both(f"encoder.{name}", f"encoder/{name}")
    for layer in range(LAYERS):
        block("encoder", layer)
    norm("encoder.ln_post", "encoder/layer_norm")
    return out


seed, arrays = 7, {}
for name, shape in shapes().items():
    seed, values = halves(seed, math.prod(shape))
    arrays[name] = (shape, values)
for label, content in (("filters", filters()), ("ct2", ct2(arrays)), ("half", ggml(arrays, "half")), ("q8", ggml(arrays, "q8"))):
    print(label, len(content), hashlib.sha256(content).hexdigest())
