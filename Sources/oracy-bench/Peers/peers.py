#!/usr/bin/env python3
"""peers.py PEER FILE.wav ...: what another detector hears, for the table of `make bench-vad`.

Reads each FILE.wav (16 kHz mono, 16 bit) and prints CSV, file,start_s,end_s: one row a stretch of speech, `file` as it was given,
without .wav. Each detector as its own documentation sets it up, from PyPI, on the CPU:

  webrtc-2   webrtcvad, mode 2, frames of 10 ms, its decisions as they are
  webrtc-3   the same, mode 3
  auditok    auditok.split with all its defaults (energy threshold 50: -40 dBFS); pieces of at most 5 s that touch are one
  ten        ten_vad, hop of 256 samples, threshold 0.5, its decisions as they are
  silero     silero_vad.onnx of the package by onnxruntime (torch is large): chunks of 512 samples after 64 of the last, and the
             defaults of get_speech_timestamps: on at 0.5, off under 0.35, speech over 250 ms, silence of 100 ms, 30 ms around
  silero-raw each chunk by itself, a voice from 0.5 on

A peer that is not there: one line on stderr and exit code 1. `peers.py versions`: what is installed, one a line.
"""
import importlib.metadata
import importlib.util
import os
import sys
import wave

RATE = 16000


def frames_to_segments(flags, hop):
    """Runs of frames with a voice, in samples."""
    segments = []
    for index, voiced in enumerate(flags):
        if not voiced:
            continue
        if segments and segments[-1][1] == index * hop:
            segments[-1][1] += hop
        else:
            segments.append([index * hop, (index + 1) * hop])
    return segments


def webrtc(mode):
    import webrtcvad

    def hear(pcm):
        vad, size = webrtcvad.Vad(mode), 2 * 160
        return frames_to_segments((vad.is_speech(pcm[i:i + size], RATE) for i in range(0, len(pcm) - size + 1, size)), 160)
    return hear


def auditok():
    import auditok

    def hear(pcm):
        pieces = auditok.split(pcm, sampling_rate=RATE, sample_width=2, channels=1)
        return [(round(piece.start * RATE), round(piece.end * RATE)) for piece in pieces]
    return hear


def ten():
    import numpy, ten_vad
    hop = 256

    def hear(pcm):
        samples, vad = numpy.frombuffer(pcm, numpy.int16).copy(), ten_vad.TenVad(hop, 0.5)
        return frames_to_segments((vad.process(samples[i:i + hop])[1] for i in range(0, len(samples) - hop + 1, hop)), hop)
    return hear


def silero(segments):
    import numpy, onnxruntime
    # The package itself imports torch, so it is only located.
    package = importlib.util.find_spec("silero_vad")
    if package is None:
        raise ImportError("No module named 'silero_vad'")
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    model = onnxruntime.InferenceSession(
        os.path.join(os.path.dirname(package.origin), "data", "silero_vad.onnx"), options, ["CPUExecutionProvider"])

    def probabilities(samples):
        state, context = numpy.zeros((2, 1, 128), numpy.float32), numpy.zeros((1, 64), numpy.float32)
        for start in range(0, len(samples), 512):
            chunk = numpy.zeros((1, 512), numpy.float32)
            chunk[0, :len(samples[start:start + 512])] = samples[start:start + 512]
            chunk = numpy.concatenate([context, chunk], axis=1)
            output, state = model.run(None, {"input": chunk, "state": state, "sr": numpy.array(RATE, numpy.int64)})
            context = chunk[:, -64:]
            yield float(output[0, 0])

    def hear(pcm):
        samples = numpy.frombuffer(pcm, numpy.int16).astype(numpy.float32) / 32768
        return segments(probabilities(samples), len(samples))
    return hear


def timestamps(probabilities, count):
    """silero_vad.utils_vad.get_speech_timestamps with its defaults, so without a longest speech."""
    segments, start, silent_since = [], None, None
    for index, probability in enumerate(probabilities):
        at = 512 * index
        if probability >= 0.5:
            silent_since = None
            if start is None:
                start = at
        elif probability < 0.35 and start is not None:
            silent_since = at if silent_since is None else silent_since
            if at - silent_since >= 1600:
                if silent_since - start > 4000:
                    segments.append([start, silent_since])
                start = silent_since = None
    if start is not None and count - start > 4000:
        segments.append([start, count])
    for before, after in zip([None] + segments, segments + [None]):
        if before is None or after is None:
            around = 480
        else:
            around = min(480, (after[0] - before[1]) // 2)
        if before is not None:
            before[1] = min(count, before[1] + around)
        if after is not None:
            after[0] = max(0, after[0] - around)
    return segments


def chunks(probabilities, count):
    return frames_to_segments((probability >= 0.5 for probability in probabilities), 512)


PEERS = {"webrtc-2": lambda: webrtc(2), "webrtc-3": lambda: webrtc(3), "auditok": auditok, "ten": ten,
         "silero": lambda: silero(timestamps), "silero-raw": lambda: silero(chunks)}


def versions():
    for name in ("webrtcvad", "auditok", "ten_vad", "silero-vad", "onnxruntime"):
        try:
            print(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            pass


def main(peer, paths):
    try:
        hear = PEERS[peer]()
    except (ImportError, OSError) as error:
        sys.exit(f"{error}".splitlines()[0])
    print("file,start_s,end_s")
    for path in paths:
        with wave.open(path) as file:
            pcm = file.readframes(file.getnframes())
        for start, end in hear(pcm):
            print(f"{path[:-4]},{start / RATE:.6f},{end / RATE:.6f}")


if sys.argv[1:] == ["versions"]:
    versions()
elif sys.argv[1:] and sys.argv[1] in PEERS:
    main(sys.argv[1], sys.argv[2:])
else:
    sys.exit("peers.py takes a peer and files: " + ", ".join(PEERS))
