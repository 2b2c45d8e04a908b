"""Runs llama.cpp's own server on loopback, with a random model that is made on the spot and knows nothing.

Usage: random-model.py FOLDER SEED FORM WORDS...
  FORM      kept: answers have the requested form; endless: the same, but their first string never ends; ignored: answers have any
            form, as from servers that don't support forms
  WORDS     of a transcript: most answers are made of them, so that some of their quotes are in it
Prints "ready http://127.0.0.1:PORT" when it answers, and ends when its standard input is closed.
"""
import string, sys

import gguf, numpy, xllamacpp


def make(path, seed, words, ends):
    """A transformer of one layer and about fifty kilobytes, for llama.cpp. Its first dimension is the same after any text, so each
    token's weight there is the model's preference for that token."""
    phrases = {" ".join(words[i:i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    texts = sorted(phrases | {" " + phrase for phrase in phrases} | set(string.printable[:95]))
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + [
        text.replace(" ", "\u2581") for text in texts]
    width, heads, hidden = 32, 2, 64
    dice = numpy.random.default_rng(seed)
    noise = lambda *shape: dice.standard_normal(shape).astype(numpy.float32)
    ones = numpy.ones(width, numpy.float32)
    read, say = noise(len(tokens), width), noise(len(tokens), width)
    read[:, 0] = 4
    say[:, 0] = 0
    # Whole words of the transcript are likely, and so are the tokens that end a string, a number, a list and an answer. So most answers
    # are complete, and some quotes are in the transcript. Single bytes are unlikely, because they don't make letters.
    say[3:259] = 0
    say[3:259, 0] = -9
    for character in string.printable[:95]:
        if character not in '"{}[],: 0123456789':
            say[tokens.index(character.replace(" ", "\u2581")), 0] = -5
    for token, liking in {'"': 8 if ends else -20, ",": 5, "\u2581": 3, "{": 5, "]": 3, "</s>": 9}.items():
        say[tokens.index(token), 0] = liking

    model = gguf.GGUFWriter(path, "llama")
    model.add_context_length(8192)
    model.add_embedding_length(width)
    model.add_block_count(1)
    model.add_feed_forward_length(hidden)
    model.add_head_count(heads)
    model.add_rope_dimension_count(width // heads)
    model.add_layer_norm_rms_eps(1e-5)
    model.add_vocab_size(len(tokens))
    model.add_tokenizer_model("llama")
    model.add_token_list(tokens)
    model.add_token_scores([float(len(token)) for token in tokens])
    model.add_token_types([2, 3, 3] + [6] * 256 + [1] * len(texts))  # Unknown, control, bytes, normal ones.
    model.add_bos_token_id(1)
    model.add_eos_token_id(2)
    model.add_unk_token_id(0)
    model.add_add_space_prefix(False)
    tensors = {"token_embd": read, "output": say, "output_norm": ones, "blk.0.attn_norm": ones, "blk.0.ffn_norm": ones}
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        tensors[f"blk.0.{name}"] = noise(width, width)
    for name, shape in {"ffn_gate": (hidden, width), "ffn_up": (hidden, width), "ffn_down": (width, hidden)}.items():
        tensors[f"blk.0.{name}"] = noise(*shape)
    for name, tensor in tensors.items():
        model.add_tensor(f"{name}.weight", tensor)
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


folder, seed, form, *words = sys.argv[1:]
make(f"{folder}/model.gguf", int(seed), " ".join(words).split(), ends=form != "endless")
settings = xllamacpp.CommonParams()
settings.model.path = f"{folder}/model.gguf"
settings.n_ctx, settings.n_parallel, settings.warmup = 8192, 1, False
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
settings.port = 0
settings.force_pure_content_parser = form == "ignored"
server = xllamacpp.Server(settings)
print("ready", server.listening_address, flush=True)
sys.stdin.read()
