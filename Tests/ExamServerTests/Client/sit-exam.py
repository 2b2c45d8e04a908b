"""Sits an exam that an Oracy server holds: a client written from PROTOCOL.md and /openapi.json alone.

    python sit-exam.py http://127.0.0.1:8080 answer.wav [--token T] [--paper P] [--format F] [--pace real|free] [--break-every N]

Answers every question with the recording (16 kHz mono, 16 bits), prints the results as JSON. Needs `websockets` from PyPI.
"""

import argparse
import json
import struct
import sys
import time
import urllib.request
import wave

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

BLOCK = 640


class Exam:
    def __init__(self, options):
        self.options = options
        self.block = 0  # the next block to be recorded
        self.kept = {}  # blocks that were not heard yet
        self.seen = 0  # the last event's number
        self.state = {}
        self.playing = None  # (prompt, blocks left)
        self.answer = []  # blocks still to say
        self.wasListening = False
        self.stored = {}  # by part, order and attempt: another node says it again
        self.over = None
        self.connections = 0
        self.speech = self.recording(options.answer)

    @staticmethod
    def recording(path):
        with wave.open(path) as file:
            assert file.getframerate() == 16000 and file.getnchannels() == 1 and file.getsampwidth() == 2, path
            sound = file.readframes(file.getnframes())
        return [sound[at : at + BLOCK] for at in range(0, len(sound) - BLOCK + 1, BLOCK)]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.options.server + path, method=method)
        if self.options.token:
            request.add_header("Authorization", "Bearer " + self.options.token)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    # What is said and heard

    def next_block(self):
        """The microphone: an answer while one is due, else silence. The loudspeaker, too: it plays in the same time."""
        if self.playing:
            prompt, left = self.playing
            self.playing = (prompt, left - 1)
        listening = self.state.get("activity") in ("waitingForSpeech", "speaking", "closing")
        if listening and not self.wasListening:
            self.answer = list(self.speech)
        self.wasListening = listening
        if listening and self.answer:
            return self.answer.pop(0)
        return bytes(BLOCK)

    def say_played(self, socket):
        if self.playing and self.playing[1] <= 0:
            prompt, self.playing = self.playing[0], None
            socket.send(json.dumps({"type": "played", "prompt": prompt}))

    def hear(self, message):
        kind = message["type"]
        if "n" in message:
            if message["n"] <= self.seen:
                return
            self.seen = message["n"]
        if kind == "state":
            self.state = message
        elif kind == "welcome":
            self.state = message["state"]
            self.kept = {at: sound for at, sound in self.kept.items() if at >= message["block"]}
        elif kind == "play":
            self.playing = (message["prompt"], int(message["seconds"] * 50) + 1)
        elif kind == "stop":
            self.playing = None
        elif kind == "stored":
            self.stored[message["part"], message["order"], message["attempt"]] = message
        elif kind == "heard":
            self.kept = {at: sound for at, sound in self.kept.items() if at >= message["block"]}
        elif kind == "over":
            self.over = message["outcome"]
        elif kind == "error" and message.get("code") != "warning":
            raise SystemExit(f"{message.get('title')}: {message.get('detail')}")

    # A connection

    def hold(self, live):
        url = self.options.server.replace("http", "ws", 1) + live["path"]
        with connect(url, subprotocols=["oracy.live.1"], max_size=1 << 20) as socket:
            self.connections += 1
            first = min(self.kept, default=self.block)
            hello = {"type": "hello", "token": live["token"], "events": self.seen, "blocks": [first, self.block], "acks": 5}
            socket.send(json.dumps(hello))
            while True:
                message = json.loads(socket.recv(timeout=30))
                self.hear(message)
                if message["type"] == "welcome":
                    break
            for at in sorted(self.kept):
                socket.send(struct.pack("<I", at) + self.kept[at])
            began, sent = time.monotonic(), 0
            while self.over is None:
                number = self.block
                blocks = [self.next_block() for _ in range(5)]
                for block in blocks:
                    self.kept[self.block] = block
                    self.block += 1
                socket.send(struct.pack("<I", number) + b"".join(blocks))
                self.say_played(socket)
                self.wait_for(socket, self.block)
                sent += 5
                if self.options.pace == "real":
                    time.sleep(max(0, began + sent * 0.02 - time.monotonic()))
                if self.options.break_every and sent >= self.options.break_every:
                    socket.socket.close()
                    return

    def wait_for(self, socket, block):
        """Until all that was sent is heard: so that what an answer causes is known before more is said."""
        while self.over is None and self.kept and min(self.kept) < block:
            self.hear(json.loads(socket.recv(timeout=60)))

    def sit(self):
        made = self.ask(
            "POST", "/v1/exams", {"format": self.options.format, "paper": self.options.paper, "consent": True}
        )
        while self.over is None:
            try:
                self.hold(made["live"])
            except (ConnectionClosed, ConnectionError) as broken:
                code = getattr(getattr(broken, "rcvd", None), "code", 1006)
                if self.over is None and code not in (1000, 1001, 1006, 1011, 4408, 4500):
                    raise SystemExit(f"the server closed with {code}")
                time.sleep(0.05)
        results = self.ask("GET", f"/v1/sessions/{made['session']}/results")
        deadline = time.monotonic() + 60
        while len(results["answers"]) < len(self.stored) and time.monotonic() < deadline:
            time.sleep(0.2)
            results = self.ask("GET", f"/v1/sessions/{made['session']}/results")
        return {
            "session": made["session"],
            "outcome": self.over,
            "stored": len(self.stored),
            "connections": self.connections,
            "answers": results["answers"],
            "status": results["status"],
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("answer")
    parser.add_argument("--token")
    parser.add_argument("--format", default="ielts-style")
    parser.add_argument("--paper", default="bridges")
    parser.add_argument("--pace", choices=["real", "free"], default="free")
    parser.add_argument("--break-every", type=int, default=0, help="break the connection after this many blocks")
    json.dump(Exam(parser.parse_args()).sit(), sys.stdout)
