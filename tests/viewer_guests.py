"""Pages in another process, for measuring: `python viewer_guests.py PORT TOKEN COUNT TOPIC…`.

Each wants all poses and the topics ten times a second, reads all it gets, and says at the end how much that was.
"""

import asyncio
import json
import sys

from websockets.asyncio.client import connect


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def visit(port, token, topics, got):
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"do": "hello", "token": token, "version": 1}))
        await socket.send(json.dumps({"do": "view", "id": 1, "p": [0, 0, 10], "radius": 60}))
        wanted = [{"topic": topic, "rate": 10} for topic in topics]
        await socket.send(json.dumps({"do": "want", "id": 2, "topics": wanted}))
        async for data in socket:
            kind = "json" if isinstance(data, str) else data[4:40].split(b'"kind":"')[1].split(b'"')[0].decode()
            count, size = got.get(kind, (0, 0))
            got[kind] = (count + 1, size + len(data))


async def main():
    port, token, count, *topics = sys.argv[1:]
    got = {}
    pages = [asyncio.create_task(visit(int(port), token, topics, got)) for _ in range(int(count))]
    say("ready")
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    for page in pages:
        page.cancel()
    say(json.dumps(got))


if __name__ == "__main__":
    asyncio.run(main())
