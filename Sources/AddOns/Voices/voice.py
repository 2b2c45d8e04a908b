"""Speaks text as 16-bit WAV, with the packages in the folder `site` beside this file.

    voice.py VOICE                  text on standard input, WAV on standard output
    voice.py VOICE --lines FILE     for each line of the file, {"text": …, "path": …}, a WAV at the path

VOICE is heart (hibari-tts, American), pico (SVOX Pico, British), or the path of a voice file for hibari-tts.
The same text gives the same samples: the noise in hibari's voices has a fixed seed."""
import hashlib
import io
import json
import os
import sys
import wave

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")]
SEED = 1


def hibari(voice):
    from hibari.tts import Hibari
    from hibari.voices import VOICES
    if voice == "heart":
        speaker = Hibari()
    else:
        with open(voice, "rb") as file:
            sha256 = hashlib.sha256(file.read()).hexdigest()
        name = next((name for name, each in VOICES.items() if each["sha256"] == sha256), None)
        if name is None:
            sys.exit(f"{voice}: is not a voice that hibari-tts knows")
        speaker = Hibari(voice=name, model=voice)

    def speak(text):
        import numpy
        samples = speaker(text, 1.0, SEED)
        return (numpy.clip(samples, -1, 1) * 32767).astype("<i2").tobytes(), 24000

    return speak


def pico():
    from py_nanotts import NanoTTS
    speaker = NanoTTS()
    return lambda text: (speaker.speak(text, voice="en-GB", speed=0.9), 16000)


def wav(samples, rate):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(samples)
    return file.getvalue()


def main(voice, *rest):
    speak = pico() if voice == "pico" else hibari(voice)
    if not rest:
        sys.stdout.buffer.write(wav(*speak(sys.stdin.buffer.read().decode())))
        return
    with open(rest[1], encoding="utf-8") as lines:
        for line in lines:
            order = json.loads(line)
            with open(order["path"], "wb") as file:
                file.write(wav(*speak(order["text"])))


main(*sys.argv[1:])
