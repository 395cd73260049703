"""Launches a bridge behind a relay: callbacks of the exam go to the relay, which passes them on; everything else goes to the bridge.

    behind_relay.py <the program switchboard> <the bridge and its arguments>

Both keep what they remember in the directory of the exam, and the exam kills both when it kills its program.
"""

import os
import socket
import sys
import threading

import stage

#: The path of the relay. The exam puts the scope behind it.
FROM = "/relay/exam"
CONFIG = """
[server]
listen = "{host}:{relay}"
[operator]
token = "token-of-the-relay"
[dispatch]
allow_private_networks = true
[store]
path = "{data}"
[[relay]]
channel = "{channel}"
secret = "{secret}"
{previous}
from = "{start}/:scope_id"
to = "http://{host}:{bridge}/in/:scope_id"
"""


def launched(program, bridge):
    """Starts both, and returns their ports."""
    relay_port, bridge_port = stage.free_port(), stage.free_port()
    config = stage.DIRECTORY / "relay.toml"
    secret, next_secret = stage.variable("CHANNEL_SECRET"), os.environ.get("SWITCHBOARD_CHANNEL_SECRET_NEXT")
    previous = f'previous_secret = "{secret}"' if next_secret else ""
    config.write_text(
        CONFIG.format(
            host=stage.HOST,
            relay=relay_port,
            bridge=bridge_port,
            data=stage.DIRECTORY / "relay",
            start=FROM,
            channel=stage.variable("CHANNEL_ID"),
            secret=next_secret or secret,
            previous=previous,
        )
    )
    stage.start(bridge, bridge_port, {"PORT": str(bridge_port)}, os.getcwd())
    stage.start([program, "--config", str(config)], relay_port)
    return relay_port, bridge_port


def connection(client, relay_port, bridge_port):
    """Passes a connection on to where its first request line says."""
    try:
        with client:
            first = client.recv(stage.PIECE)
            while first and b"\r\n" not in first:
                first += client.recv(stage.PIECE)
            is_callback = first.startswith(b"POST " + FROM.encode())
            with socket.create_connection((stage.HOST, relay_port if is_callback else bridge_port)) as program:
                back = threading.Thread(target=stage.copy, args=(program, client), daemon=True)
                back.start()
                program.sendall(first)
                stage.copy(client, program)
                back.join()
    except OSError:
        pass


def serve(ports):
    listener = socket.create_server((stage.HOST, int(os.environ["PORT"])), backlog=1024)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=connection, args=(client, *ports), daemon=True).start()


serve(launched(sys.argv[1], sys.argv[2:]))
