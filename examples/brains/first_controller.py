"""A controller from nothing but a socket: drive ahead until something is near, turn away, and go on.

volery run usarsim            in one terminal
python first_controller.py    in another
"""

import re
import socket
import sys

port = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0

with socket.create_connection(("127.0.0.1", port)) as wire:
    # 1. One connection is one robot. INIT has no answer: the first state is.
    wire.sendall(b"INIT {ClassName USARBot.P2AT} {Name explorer}\r\n")
    ended = None
    for line in wire.makefile("r", newline="\n"):
        # 2. Every line is a word and some {Name value}. STA tells time and battery, SEN what a sensor feels.
        if line.startswith("STA"):
            now = float(re.search(r"{Time ([\d.]+)}", line)[1])
            ended = now + seconds if ended is None else ended
            if now > ended:
                break
        if "{Type Sonar}" not in line:
            continue
        # 3. Sonars F3 to F6 look ahead; distances are in metres.
        ranges = {name: float(distance) for name, distance in re.findall(r"Name (\S+) Range ([\d.]+)", line)}
        ahead = min(ranges[f"F{i}"] for i in (3, 4, 5, 6))
        # 4. Wheels are told their speed in rad/s, and keep it.
        if ahead > 0.6:
            wire.sendall(b"DRIVE {Left 3.0} {Right 3.0}\r\n")
        else:
            turn = 2.5 if ranges["F8"] > ranges["F1"] else -2.5
            wire.sendall(f"DRIVE {{Left {turn}}} {{Right {-turn}}}\r\n".encode())
# 5. Closing the socket takes the robot away.
print(f"explored for {seconds:g} s")
