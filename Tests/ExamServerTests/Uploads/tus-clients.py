"""Sends a file to our server with foreign clients of tus 1.0.0 from PyPI.

Usage: tus-clients.py CLIENT URL USER FILE SESSION ANSWER FOLDER [step]
CLIENT: tuspy, aiotus. FOLDER: tuspy's folder for unfinished uploads. Prints "begin OFFSET", then the offset after each piece. With "step"
it waits for a line after each. Exits with 0 when the server has the whole file.
"""
import asyncio, os, sys

PIECE = 1 << 18


def metadata(path, session, answer):
    return {"session": session, "answer": answer, "filename": os.path.basename(path), "filetype": "audio/wav"}


def tuspy(url, user, path, session, answer, folder, step):
    from tusclient import client
    from tusclient.storage import filestorage

    uploader = client.TusClient(url, headers={"X-Test-User": user}).uploader(
        path, chunk_size=PIECE, metadata=metadata(path, session, answer), upload_checksum=True, store_url=True,
        url_storage=filestorage.FileStorage(f"{folder}/urls.json"))
    print("begin", uploader.offset, flush=True)
    while uploader.offset < os.path.getsize(path):
        uploader.upload_chunk()
        print(uploader.offset, flush=True)
        if step:
            sys.stdin.readline()


def aiotus(url, user, path, session, answer, folder, step):
    import aiotus

    async def send():
        with open(path, "rb") as file:
            values = {name: value.encode() for name, value in metadata(path, session, answer).items()}
            print("begin 0", flush=True)
            config = aiotus.RetryConfiguration(retry_attempts=3, max_retry_period_seconds=1)
            place = await aiotus.upload(
                url, file, values, config=config, headers={"X-Test-User": user}, chunksize=PIECE)
            if place is None:
                sys.exit("aiotus gave up")
            there = await aiotus.metadata(place, headers={"X-Test-User": user})
            assert there["answer"].decode() == answer, there
            print(os.path.getsize(path), flush=True)

    asyncio.run(send())


name, arguments = sys.argv[1], sys.argv[2:8]
{"tuspy": tuspy, "aiotus": aiotus}[name](*arguments, step=sys.argv[8:] == ["step"])
