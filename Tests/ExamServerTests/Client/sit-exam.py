"""Sits a whole exam on an Oracy server, with one recording as the answer to every question. Written from PROTOCOL.md and
/openapi.json alone.

usage: sit-exam.py SERVER ANSWER.wav [--token T] [--format F] [--paper P] [--pace real|free] [--sound pcm|opus] [--break-every N]

SERVER is http://host:port; the WAV is 16 kHz, mono, 16 bits. Prints one JSON object when the answers have arrived.
`--break-every N` cuts the line after each N blocks sent on a connection; the answers are the same as without it.
"""
import argparse, contextlib, ctypes, ctypes.util, json, math, os, random, socket, struct, sys, time, urllib.error, urllib.request, wave

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

BLOCK, PER_SECOND = 640, 50  # bytes, blocks
SOUNDING = ("preparation", "testing")
CODES = {"no-token": 4401, "no-exam": 4404, "taken-over": 4409, "over": 4410, "elsewhere": 4421, "too-much": 4429, "fault": 4500}
PATIENCE = 300  # seconds without a welcome


class Failed(Exception):
    """The exam can't continue; the message says why."""


def read_sound(path):
    with wave.open(path) as file:
        if file.getparams()[:3] != (1, 2, 16000):
            raise Failed(f"{path} is not 16 kHz, mono, 16 bits.")
        sound = file.readframes(file.getnframes())
    return [sound[at:at + BLOCK].ljust(BLOCK, b"\0") for at in range(0, len(sound), BLOCK)]


class Opus:
    """A stream of packets, one for each block, from Debian's libopus0: application AUDIO, 32 kbit/s, complexity 5."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("opus") or "libopus.so.0")
        self.library.opus_encoder_create.restype = ctypes.c_void_p
        self.encoder = ctypes.c_void_p(self.library.opus_encoder_create(16000, 1, 2049, None))
        for request, value in ((4002, 32000), (4010, 5)):
            self.library.opus_encoder_ctl(self.encoder, request, value)
        self.packet = ctypes.create_string_buffer(1275)

    def block(self, samples):
        count = self.library.opus_encode(self.encoder, samples, len(samples) // 2, self.packet, len(self.packet))
        return struct.pack("<H", count) + self.packet.raw[:count]


class Samples:
    """Blocks as plain samples."""

    def block(self, samples):
        return samples


def ask(chosen, method, path, body=None):
    """Makes a REST request. Repeats it for up to two minutes if the server's answer says that this may help."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {chosen.token}"} if chosen.token else {})}
    request = urllib.request.Request(chosen.server + path, body and json.dumps(body).encode(), headers, method=method)
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            why, again, wait = error.read().decode(), error.code in (429, 503), float(error.headers.get("Retry-After") or 2)
        except OSError as error:
            # An exam may have been made although its answer was lost. A repeated request would make a second one.
            why, again, wait = error, path != "/v1/exams", 1
        if not again or time.monotonic() + wait > deadline:
            raise Failed(f"{method} {path} failed: {why}")
        time.sleep(wait)


class Sitting:
    def __init__(self, chosen, sound):
        self.chosen, self.sound, self.place = chosen, sound, chosen.server
        made = ask(chosen, "POST", "/v1/exams", {"format": chosen.format, "paper": chosen.paper, "consent": True})
        self.session, self.live = made["session"], made["live"]
        self.real = chosen.pace == "real"
        self.size = 5 if self.real else 1  # blocks in a message
        self.connections = self.events = self.pings = self.cursor = self.heard = 0  # `cursor`: the next block to send
        self.stored, self.over, self.outcome = set(), False, None
        self.turn, self.position = None, 0  # the turn that is being answered, and the position in the recording
        self.prompt, self.due = None, 0  # the clip that is playing, and the block at which it ends
        self.recorded = []  # all blocks, as they are sent
        self.coding = Opus() if chosen.sound == "opus" else Samples()
        self.backoff, self.renewed, self.deadline = 0.125, False, time.monotonic() + PATIENCE

    def sit(self):
        """Connects as often as necessary until the exam is over."""
        while not self.over:
            self.error = {}
            try:
                code = self.converse()
            except InvalidStatus as refusal:
                answer = refusal.response
                self.error = {"title": (answer.body or b"").decode(), "retryAfter": float(answer.headers.get("Retry-After") or 0)}
                code = 4500 if answer.status_code in (421, 429, 503) else 4400
            except (OSError, InvalidHandshake):
                self.place, code = self.chosen.server, 1006  # the other node may have died since
            time.sleep(self.ended(code))

    def converse(self):
        """Holds one connection from its opening to its end. Returns the closing code."""
        # The queue is unlimited, so that no message of the server stays in a socket that a failed send closes.
        with connect("ws" + self.place.removeprefix("http") + self.live["path"], subprotocols=["oracy.live.1"],
                     compression=None, max_queue=None, ping_interval=None) as self.ws:
            self.connections += 1
            try:
                self.talk()
            except ConnectionClosed:
                with contextlib.suppress(ConnectionClosed, ConnectionError):
                    while True:  # after a failed send, an `over` or an `error` may still be in the queue
                        self.hear(1)
                return self.ws.close_code or 1006
            except ConnectionError:  # as a network does it: no close frame, and waiting data is not sent
                self.ws.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.ws.socket.shutdown(socket.SHUT_RDWR)
                self.ws.wait_closed()
                return 1006

    def ended(self, code):
        """Returns the seconds to wait before the next connection. Raises if there must not be one."""
        error = self.error
        if code == 1006 and error:
            code = CODES.get(error["code"], 4400)  # its close frame was lost
        self.over = self.over or code in (1000, 4410)
        if self.over:
            return 0
        if code in (1002, 1007, 1009, 4400, 4404, 4409) or (code == 4401 and self.renewed) or time.monotonic() > self.deadline:
            why = f"{error['title']} {error.get('detail', '')}" if error else "no reason was given."
            raise Failed(f"The exam {self.session} broke off with {code}: {why}")
        if code == 4401:
            self.live, self.renewed = ask(self.chosen, "POST", f"/v1/exams/{self.session}/live")["live"], True
        if code == 4421 and error.get("url"):
            self.place = error["url"].rstrip("/")
        self.backoff = min(5, self.backoff * 2)
        return 1 if code == 1001 else error.get("retryAfter") or self.backoff * random.uniform(0.5, 1)

    def talk(self):
        """Continues the exam until an exception ends the connection."""
        self.stage, self.heartbeat, self.said, self.sent = None, 5, time.monotonic(), 0
        self.say(type="hello", token=self.live["token"], events=self.events, acks=self.size, sound=self.chosen.sound,
                 blocks=[self.heard, len(self.recorded)])
        self.settle()
        self.clock = time.monotonic()
        while self.stage in SOUNDING:
            if self.prompt is not None and self.cursor == len(self.recorded) >= self.due:
                self.say(type="played", prompt=self.prompt)
                self.settle()  # so that the answer begins with the next block, however slow the line is
                self.prompt = None
            else:
                self.send_sound()
        while True:  # until the server closes
            self.settle()
            time.sleep(1)

    def send_sound(self):
        """Sends blocks that an earlier connection left unheard, then newly recorded ones. Then waits, for `heard` or the microphone."""
        for _ in range(self.size if self.cursor == len(self.recorded) else 0):
            answering = self.turn is not None and self.position < len(self.sound)
            self.recorded.append(self.coding.block(self.sound[self.position] if answering else bytes(BLOCK)))
            self.position += answering
        blocks = self.recorded[self.cursor:self.cursor + self.size]
        self.ws.send(struct.pack("<I", self.cursor) + b"".join(blocks))
        self.cursor += len(blocks)
        self.sent += len(blocks)
        if self.chosen.break_every and self.sent >= self.chosen.break_every:
            raise ConnectionError  # the line is cut
        self.clock += len(blocks) / PER_SECOND
        while self.real and (self.hear(max(0, self.clock - time.monotonic())) or time.monotonic() < self.clock):
            pass
        while not self.real and self.heard < self.cursor and self.stage in SOUNDING:
            self.hear(1)

    def settle(self):
        """Waits until the server has processed everything that was sent, and has reported the effects."""
        self.pings, self.pong = self.pings + 1, None
        self.say(type="ping", at=self.pings)
        while self.pong != self.pings:
            self.hear(1)

    def say(self, **message):
        self.ws.send(json.dumps(message))

    def hear(self, seconds):
        """Handles one message. Returns false if none comes in time."""
        try:
            message = self.ws.recv(timeout=seconds)
        except TimeoutError:
            if time.monotonic() - self.said > self.heartbeat:
                raise ConnectionError  # the line is silent
            return False
        self.said = time.monotonic()
        self.take(json.loads(message))
        return True

    def take(self, message):
        if message.get("n", self.events + 1) <= self.events:
            return
        self.events = message.get("n", self.events)
        match message["type"]:
            case "welcome": self.welcomed(message)
            case "heard": self.heard = message["block"]
            case "state": self.show(message)
            case "play":
                self.prompt, self.due = message["prompt"], len(self.recorded) + math.ceil(message["seconds"] * PER_SECOND - 1e-6)
            case "stop" if message["prompt"] == self.prompt: self.prompt = None
            case "stored": self.stored.add((message["part"], message["order"], message["attempt"]))
            case "over": self.over, self.outcome = True, message["outcome"]
            case "pong": self.pong = message["at"]
            case "error" if message["code"] != "warning": self.error = message

    def welcomed(self, welcome):
        self.backoff, self.renewed, self.deadline = 0.125, False, time.monotonic() + PATIENCE
        self.heartbeat, self.events = welcome["heartbeat"], min(self.events, welcome["events"])
        self.heard = self.cursor = welcome["block"]
        while len(self.recorded) < self.cursor:  # blocks that the server is ahead
            self.recorded.append(self.coding.block(bytes(BLOCK)))
        self.show(welcome["state"])
        if welcome["state"]["activity"] not in ("examinerSpeaking", "suspended"):
            self.prompt = None  # the clip was stopped meanwhile

    def show(self, state):
        self.stage = state["stage"]
        turn = state.get("turn") if state["activity"] in ("waitingForSpeech", "speaking", "closing") else None
        if turn != self.turn:
            self.turn, self.position = turn, 0


def main():
    parser = argparse.ArgumentParser(description="Sits a whole exam on an Oracy server.")
    for name, default in {"server": "", "answer": "", "--token": "", "--format": "ielts-style", "--paper": "bridges"}.items():
        parser.add_argument(name, default=default)
    parser.add_argument("--pace", choices=("real", "free"), default="free")
    parser.add_argument("--sound", choices=("pcm", "opus"), default="pcm")
    parser.add_argument("--break-every", type=int, default=0)
    chosen = parser.parse_args()
    chosen.server = chosen.server.rstrip("/")
    try:
        sitting = Sitting(chosen, read_sound(chosen.answer))
        sitting.sit()
        # A debug build on a busy machine is slow.
        deadline = time.monotonic() + 180 * float(os.environ.get("ORACY_PATIENCE", 1))
        while True:
            results = ask(chosen, "GET", f"/v1/sessions/{sitting.session}/results")
            # If the line broke at the very end, the last "stored" may not have arrived.
            if len(results["answers"]) >= len(sitting.stored) and results["status"] != "in_progress":
                break
            if time.monotonic() > deadline:
                raise Failed(f"the results are not complete: {results['status']}")
            time.sleep(0.2)
    except Failed as failure:
        sys.exit(" ".join(str(failure).split()))
    print(json.dumps({"session": sitting.session, "outcome": sitting.outcome or results["session"].get("outcome"),
                      "stored": len(sitting.stored), "connections": sitting.connections,
                      "answers": results["answers"], "status": results["status"]}))


if __name__ == "__main__":
    main()
