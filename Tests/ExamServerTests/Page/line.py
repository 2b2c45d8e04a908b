"""A TCP proxy between a browser and a server, which a test can make slow, late or dead."""
import socket, threading, time


class Line:
    """Begins at once, on a free port. `up` and `down` are bytes a second, None for no limit. `delay` is in seconds, each way."""

    def __init__(self, host, port):
        self.up = self.down = None
        self.delay = 0.0
        # Nothing goes through, and neither end is told.
        self.is_dead = False
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        # The bytes that all connections have lately carried each way.
        self._free = {"up": 0.0, "down": 0.0}
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            try:
                server = socket.create_connection(self._server)
            except OSError:
                client.close()
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for way, source, sink in (("up", client, server), ("down", server, client)):
                threading.Thread(target=self._carry, args=(way, source, sink), daemon=True).start()

    def _carry(self, way, source, sink):
        """Reads a little at a time, so that the sender notices a slow line."""
        queue, ready = [], threading.Condition()

        def write():
            while True:
                with ready:
                    while not queue:
                        ready.wait()
                    due, data = queue.pop(0)
                while time.monotonic() < due or self.is_dead:
                    time.sleep(0.005)
                try:
                    if not data:
                        return sink.shutdown(socket.SHUT_WR)
                    sink.sendall(data)
                except OSError:
                    return

        threading.Thread(target=write, daemon=True).start()
        while True:
            try:
                data = source.recv(2048)
            except OSError:
                data = b""
            self._pace(way, len(data))
            with ready:
                queue.append((time.monotonic() + self.delay, data))
                ready.notify()
            if not data:
                return

    def _pace(self, way, count):
        rate = getattr(self, way)
        if rate is None:
            return
        with self._lock:
            begins = max(self._free[way], time.monotonic())
            self._free[way] = begins + count / rate
        time.sleep(max(0.0, self._free[way] - time.monotonic()))
