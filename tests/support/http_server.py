#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A web server on this machine whose answers are right, slow, cut short, or lies.

    http_server.py FOLDER

Serves FOLDER/FILE at /HOW/FILE, prints its port, and ends when its standard input is closed. HOW says how it answers; see
HOWS. Before it answers it writes what was asked for into FOLDER/log: a line of METHOD PATH, then Range where it was given.
"""

import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PIECE = 64 * 1024


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        asked = [f"Range: {self.headers['Range']}"] if self.headers["Range"] else []
        self.server.asked("; ".join([f"{self.command} {self.path}"] + asked))
        _, how, name = self.path.split("/", 2)
        HOWS[how](self, name)

    def content(self, name):
        return (self.server.folder / name).read_bytes()

    def first_byte(self):
        unit, _, first = (self.headers["Range"] or "").partition("=")
        return int(first.rstrip("-")) if unit == "bytes" else 0

    def send_head(self, status, length, **headers):
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()

    def send_whole(self, bytes_):
        self.send_head(200, len(bytes_))
        self.wfile.write(bytes_)

    def send_from(self, bytes_, first):
        """The head of an answer that starts at `first`; what it should bring."""
        if first == 0:
            self.send_head(200, len(bytes_))
        elif first >= len(bytes_):
            self.send_head(416, 0, Content_Range=f"bytes */{len(bytes_)}")
        else:
            self.send_head(206, len(bytes_) - first,
                           Content_Range=f"bytes {first}-{len(bytes_) - 1}/{len(bytes_)}")
        return bytes_[first:]

    def cut(self):
        """Ends the connection in the middle of an answer."""
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def send_chunks(self, bytes_):
        self.send_head(200, None, Transfer_Encoding="chunked")
        for begin in range(0, len(bytes_), PIECE):
            piece = bytes_[begin:begin + PIECE]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    # How it answers.

    def plain(self, name):
        self.wfile.write(self.send_from(self.content(name), self.first_byte()))

    def missing(self, _):
        self.send_head(404, 5)
        self.wfile.write(b"None.")

    def broken_inside(self, _):
        self.send_head(500, 0)

    def redirect(self, name):
        self.send_head(302, 0, Location=f"/plain/{name}")

    def circle(self, name):
        self.send_head(302, 0, Location=f"/circle/{name}")

    def to_file(self, _):
        self.send_head(302, 0, Location="file:///etc/hostname")

    def to_ftp(self, _):
        self.send_head(302, 0, Location="ftp://127.0.0.1/etc/hostname")

    def slow(self, name):
        """A piece every fifth of a second, so that it can be interrupted."""
        bytes_ = self.send_from(self.content(name), self.first_byte())
        for begin in range(0, len(bytes_), PIECE):
            self.wfile.write(bytes_[begin:begin + PIECE])
            time.sleep(0.2)

    def breaks(self, name):
        """Each answer brings a third of the file at most, then the line is dead."""
        bytes_ = self.content(name)
        rest = self.send_from(bytes_, self.first_byte())
        third = len(bytes_) // 3 + 1
        self.wfile.write(rest[:third])
        if len(rest) > third:
            self.cut()

    def breaks_once(self, name):
        """The first answer of all breaks off; no answer heeds a range."""
        bytes_ = self.content(name)
        self.send_head(200, len(bytes_))
        first = len(self.server.log) == 1
        self.wfile.write(bytes_[:len(bytes_) // 2] if first else bytes_)
        if first:
            self.cut()

    def breaks_at_once(self, name):
        self.send_head(200, len(self.content(name)))
        self.cut()

    def changes(self, name):
        """The first answer of all breaks off, and is of the file that it was before."""
        bytes_ = self.content(name)
        if len(self.server.log) == 1:
            self.send_head(200, len(bytes_))
            self.wfile.write(b"o" * (len(bytes_) // 2))
            self.cut()
        else:
            self.plain(name)

    def other_range(self, name):
        bytes_ = self.content(name)
        self.send_head(206, len(bytes_), Content_Range=f"bytes 0-{len(bytes_) - 1}/{len(bytes_)}")
        self.wfile.write(bytes_)

    def offers_less(self, name):
        self.send_whole(self.content(name)[:-1])

    def offers_more(self, name):
        self.send_whole(self.content(name) + b"!")

    def promises_more(self, name):
        """The right length in the head, less behind it, again and again."""
        bytes_ = self.content(name)
        self.send_head(200, len(bytes_))
        self.wfile.write(bytes_[:100])
        self.cut()

    def chunks(self, name):
        self.send_chunks(self.content(name))

    def chunks_short(self, name):
        self.send_chunks(self.content(name)[:-1])

    def chunks_long(self, name):
        self.send_chunks(self.content(name) + b"!")

    def other(self, name):
        """Another file of the same length."""
        self.send_whole(bytes(len(self.content(name))))

    def stalls(self, name):
        """Half of the file comes, then nothing more."""
        bytes_ = self.content(name)
        self.send_from(bytes_, self.first_byte())
        self.wfile.write(bytes_[self.first_byte():len(bytes_) // 2])
        self.wfile.flush()
        self.server.ended.wait(60)

    def silent(self, _):
        self.server.ended.wait(60)


HOWS = {name: getattr(Handler, name) for name in dir(Handler) if name.islower() and not name.startswith(("_", "do_"))}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = Path(folder)
        self.ended = threading.Event()

    def handle_error(self, *_):
        pass  # a client that goes away is part of most tests

    @property
    def log(self):
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []

    def asked(self, line):
        with (self.folder / "log").open("a") as log:
            log.write(line + "\n")

    def url(self, how):
        return f"http://127.0.0.1:{self.server_port}/{how}"

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def stop(self):
        self.ended.set()
        self.shutdown()
        self.server_close()


def main():
    server = Server(sys.argv[1]).start()
    print(server.server_port, flush=True)
    while os.read(0, 1024):
        pass
    server.stop()


if __name__ == "__main__":
    main()
