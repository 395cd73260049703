"""What launchers of public programs share: the program behind a front on PORT, and doubles of what it speaks with.

A launcher starts a program, which nobody has changed, on an inner port. The front on PORT passes what comes to the program
byte by byte, so that the exam examines the program and not the front; only `/exam/...` ends here. A double stands in for the
messenger or the language model of the program. Its memory is on the disk, so it outlives the kills of the exam.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "127.0.0.1"
URL = os.environ["SWITCHBOARD_URL"]
DIRECTORY = Path(os.environ["SWITCHBOARD_EXAM_DIRECTORY"])
OWN = (b"GET /exam/", b"POST /exam/")
START_WITHIN = 28
PIECE = 65536


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def variable(name):
    """Returns a variable of the exam, such as `CHANNEL_SECRET`."""
    return os.environ[f"SWITCHBOARD_{name}"]


def output(command, text):
    """Runs a command with this input, and returns what it writes."""
    return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


def call(method, url, body=None, headers=None, is_document=True):
    """Makes a request, and returns the document of its answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
        text = answer.read()
    return json.loads(text) if text and is_document else None


def tokens():
    """Returns the tokens of the integration. The code is exchanged at the first start."""
    file = DIRECTORY / "tokens.json"
    if not file.exists():
        body = {
            "client_id": variable("CLIENT_ID"),
            "client_secret": variable("CLIENT_SECRET"),
            "redirect_uri": variable("REDIRECT_URI"),
            "grant_type": "authorization_code",
            "code": variable("CODE"),
        }
        file.write_text(json.dumps(call("POST", f"{URL}/oauth2/access_token", body)))
    return json.loads(file.read_text())


class Lines:
    """A list of documents in a file: what was added outlives a kill."""

    def __init__(self, name):
        self.path = DIRECTORY / name
        self.lock = threading.Lock()

    def add(self, document):
        with self.lock, self.path.open("a") as file:
            file.write(json.dumps(document) + "\n")

    def all(self):
        with self.lock:
            text = self.path.read_text() if self.path.exists() else ""
        # A kill may have cut the last line.
        return [json.loads(line) for line in text.split("\n")[:-1]]


class Callbacks:
    """Reads the messages of callbacks that pass, to know the id of a text that arrives at the double of a messenger."""

    def __init__(self, met=lambda place: None):
        """`met` hears of each conversation of a callback."""
        self.messages = Lines("callbacks")
        self.met = met

    def note(self, body):
        try:
            message = json.loads(body)["message"]
            identity, text = message["message"]["id"], message["message"].get("text")
            place = message.get("conversation", {}).get("client_id")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return
        self.messages.add({"msgid": identity, "text": text})
        if isinstance(place, str):
            self.met(place)

    def msgid(self, text):
        """Returns the id of the newest message with this text."""
        same = [it["msgid"] for it in self.messages.all() if it["text"] == text]
        return same[-1] if same else ""


class Bodies:
    """Finds the bodies of requests in the bytes of a connection."""

    def __init__(self, note):
        self.note = note
        self.bytes = b""

    def feed(self, piece):
        self.bytes += piece
        while b"\r\n\r\n" in self.bytes:
            head, rest = self.bytes.split(b"\r\n\r\n", 1)
            length = length_of(head)
            if len(rest) < length:
                return
            if length:
                self.note(rest[:length])
            self.bytes = rest[length:]


def length_of(head):
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return 0


class Front:
    """Listens on PORT. `seen`, `say` and `outside` are the program's outside, where it has one.

    `note` gets each body before its last byte passes; `change` gives a request another form."""

    def __init__(self, inner, note=None, seen=None, say=None, outside=None, change=None):
        self.inner, self.note, self.change = inner, note, change
        self.seen, self.orders = seen, {b"/exam/say": say, b"/exam/outside": outside}

    def serve(self):
        listener = socket.create_server((HOST, int(os.environ["PORT"])), backlog=1024)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self.connection, args=(client,), daemon=True).start()

    def connection(self, client):
        try:
            with client:
                first = b""
                while not first.startswith(OWN) and any(own.startswith(first) for own in OWN):
                    piece = client.recv(PIECE)
                    if not piece:
                        return
                    first += piece
                if first.startswith(OWN):
                    client.sendall(self.answer(whole(client, first)))
                else:
                    self.splice(client, first)
        except OSError:
            pass

    def splice(self, client, first):
        if self.change:
            first = self.change(whole(client, first))
        bodies = Bodies(self.note) if self.note else None
        with socket.create_connection((HOST, self.inner)) as program:
            back = threading.Thread(target=copy, args=(program, client), daemon=True)
            back.start()
            piece = first
            while piece:
                if bodies:
                    bodies.feed(piece)
                program.sendall(piece)
                piece = client.recv(PIECE)
                if piece and self.change:
                    piece = self.change(whole(client, piece))
            try:
                program.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            back.join()

    def answer(self, request):
        head, body = request.split(b"\r\n\r\n", 1)
        target = head.split(b" ", 2)[1]
        try:
            if target == b"/exam/seen" and self.seen:
                return response(200, self.seen())
            if self.orders.get(target):
                self.orders[target](json.loads(body))
                return response(200, {})
        except urllib.error.HTTPError as error:
            return response(error.code, {})
        except (OSError, ValueError, TypeError) as error:
            print(f"launcher: {target.decode()}: {error!r}", flush=True)
            return response(502, {})
        return response(404, {})


def whole(client, text):
    """Reads the rest of a request."""
    while b"\r\n\r\n" not in text or len(text.split(b"\r\n\r\n", 1)[1]) < length_of(text.split(b"\r\n\r\n", 1)[0]):
        piece = client.recv(PIECE)
        if not piece:
            break
        text += piece
    return text


def copy(source, sink):
    try:
        while piece := source.recv(PIECE):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def response(status, document):
    body = json.dumps(document).encode()
    return b"HTTP/1.1 %d -\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


def double(answer, port=0, raw=False):
    """Starts a double, and returns its address. `answer` takes method, path and body, and gives the status and a document.

    The body is a document, or with `raw` as it came."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            length = int(self.headers.get("Content-Length") or 0)
            text = self.rfile.read(length)
            content = text if raw else json.loads(text) if text else None
            status, document = answer(self.command, self.path, content)
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_PUT = do_GET

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 1024

    server = Server((HOST, port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://{HOST}:{server.server_port}"


def start(command, port, environment=None, folder=None):
    """Starts the program, and returns when it accepts connections. When it ends, the launcher ends."""
    process = subprocess.Popen(command, env={**os.environ, **(environment or {})}, cwd=folder or DIRECTORY)

    def watch():
        code = process.wait()
        print(f"launcher: the program ended with {code}", flush=True)
        os._exit(code if 0 <= code < 256 else 1)

    threading.Thread(target=watch, daemon=True).start()
    begin = time.monotonic()
    while time.monotonic() - begin < START_WITHIN:
        try:
            socket.create_connection((HOST, port)).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("the program accepts no connections")
