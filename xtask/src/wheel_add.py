import base64
import hashlib
import pathlib
import sys
import zipfile

wheel, folder, *files = sys.argv[1:]
unfinished = wheel + ".new"
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(unfinished, "w") as new:
    record = next(info for info in old.infolist() if info.filename.endswith(".dist-info/RECORD"))
    for info in old.infolist():
        if info is not record:
            new.writestr(info, old.read(info))
    lines = old.read(record).decode()
    for file in map(pathlib.Path, files):
        data = file.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        new.writestr(f"{folder}/{file.name}", data)
        lines += f"{folder}/{file.name},sha256={digest},{len(data)}\n"
    new.writestr(record, lines)
pathlib.Path(unfinished).replace(wheel)
