"""A disk whose power can be cut: it keeps synced data (fsync), and forgets the rest, or some of it.

    power-cut-disk.py

Commands come on standard input, one on each line. Answers go to standard output:

    mount FOLDER CUT VARIANT SEED   FOLDER's contents are on the disk; the power is cut before the CUTth change (0: never)
                                    -> "mounted"
    unmount                         -> "changes N cut 0|1"; FOLDER itself has what survived
Variants: 0 only synced data survives; 1 also some of the rest, in pieces of 512 bytes and in any order; 2 also the rest up to a
moment. A change of names survives if its folder was synced, and one of a file's bytes or length if the file was.
"""
import errno
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time

from fuse import FUSE, FuseOSError, Operations, fuse_get_context

PIECE = 512  # A disk writes a sector as a whole.


class Inode:
    """A file or folder: as programs see it (now), as it is on the disk (kept), and the changes in between (waiting)."""

    def __init__(self, folder, mode):
        self.folder, self.mode = folder, mode
        self.now = {} if folder else bytearray()
        self.kept = {} if folder else bytes()
        self.waiting = []  # (when, change)
        self.times = (time.time(), time.time())

    def wait(self):
        self.kept = dict(self.now) if self.folder else bytes(self.now)
        self.waiting = []


def write_to(content, offset, data):
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset:offset + len(data)] = data


def resize(content, length):
    del content[length:]
    content.extend(bytes(length - len(content)))


class Disk(Operations):
    # Nothing reads this file after a crash: SQLite makes it again from the log.
    EXEMPT = "-shm"

    def __init__(self, cut):
        self.root = Inode(True, 0o700)
        self.cut, self.changes, self.is_off = cut, 0, False

    # Names

    def find(self, path):
        node = self.root
        for part in path.strip("/").split("/"):
            if part:
                if not node.folder or part not in node.now:
                    raise FuseOSError(errno.ENOENT)
                node = node.now[part]
        return node

    def parent(self, path):
        folder, _, name = path.rpartition("/")
        return self.find(folder), name

    def change(self, node, what):
        """Counts a change. When the power goes, no later change has an effect, and the process that asked for this one is killed."""
        if self.is_off:
            raise FuseOSError(errno.EIO)
        self.changes += 1
        if self.changes == self.cut:
            self.is_off = True
            pid = fuse_get_context()[2]
            # The kernel itself may have asked: its process is 0. Killing 0 would kill the tests.
            if pid > 1:
                os.kill(pid, signal.SIGKILL)
            else:
                print(f"cut by {pid}: {what}", file=sys.stderr, flush=True)
            raise FuseOSError(errno.EIO)
        if what:
            node.waiting.append((self.changes, what))

    def make(self, path, folder, mode):
        parent, name = self.parent(path)
        node = Inode(folder, mode & 0o7777)
        self.change(parent, ("name", name, node))
        parent.now[name] = node
        return 0

    def create(self, path, mode, fi=None):
        return self.make(path, False, mode)

    def mkdir(self, path, mode):
        return self.make(path, True, mode)

    def unlink(self, path):
        parent, name = self.parent(path)
        self.change(parent, ("unname", name))
        del parent.now[name]

    def rmdir(self, path):
        if self.find(path).now:
            raise FuseOSError(errno.ENOTEMPTY)
        self.unlink(path)

    def rename(self, old, new):
        (parent, name), (target, other) = self.parent(old), self.parent(new)
        node = parent.now[name]
        if parent is target:
            self.change(parent, ("rename", name, other, node))
        else:
            self.change(target, ("name", other, node))
            parent.waiting.append((self.changes, ("unname", name)))
        del parent.now[name]
        target.now[other] = node

    def link(self, new, old):
        node = self.find(old)
        parent, name = self.parent(new)
        self.change(parent, ("name", name, node))
        parent.now[name] = node

    def readdir(self, path, fh):
        return [".", ".."] + list(self.find(path).now)

    # Bytes

    def open(self, path, flags):
        self.find(path)
        return 0

    def read(self, path, size, offset, fh):
        return bytes(self.find(path).now[offset:offset + size])

    def write(self, path, data, offset, fh):
        node = self.find(path)
        if not path.endswith(self.EXEMPT):
            self.change(node, ("write", offset, bytes(data)))
        write_to(node.now, offset, data)
        return len(data)

    def truncate(self, path, length, fh=None):
        node = self.find(path)
        if not path.endswith(self.EXEMPT):
            self.change(node, ("resize", length))
        resize(node.now, length)

    def fsync(self, path, datasync, fh):
        node = self.find(path)
        self.change(node, None)
        node.wait()

    fsyncdir = fsync

    def flush(self, path, fh):
        return 0

    def release(self, path, fh):
        return 0

    # The rest

    def getattr(self, path, fh=None):
        node = self.find(path)
        kind = stat.S_IFDIR if node.folder else stat.S_IFREG
        size = 4096 if node.folder else len(node.now)
        return dict(
            st_mode=kind | node.mode, st_nlink=2 if node.folder else 1, st_size=size, st_uid=os.getuid(),
            st_gid=os.getgid(), st_blocks=(size + 511) // 512, st_atime=node.times[0], st_mtime=node.times[1],
            st_ctime=node.times[1])

    def chmod(self, path, mode):
        self.find(path).mode = mode & 0o7777

    def chown(self, path, uid, gid):
        pass

    def utimens(self, path, times=None):
        self.find(path).times = times or (time.time(), time.time())

    def statfs(self, path):
        return dict(f_bsize=4096, f_frsize=4096, f_blocks=1 << 20, f_bfree=1 << 19, f_bavail=1 << 19, f_namemax=255)


def survive(node, variant, chance, until):
    """Returns what is left of an inode when the power is back."""
    kept = dict(node.kept) if node.folder else bytearray(node.kept)
    for when, change in node.waiting:
        if variant == 0 or variant == 2 and when > until:
            continue
        if change[0] == "write":
            _, offset, data = change
            position = 0
            while position < len(data):
                end = min(len(data), position + PIECE - (offset + position) % PIECE)
                if variant == 2 or chance.random() < 0.5:
                    write_to(kept, offset + position, data[position:end])
                position = end
        elif variant == 1 and chance.random() < 0.5:
            continue
        elif change[0] == "resize":
            resize(kept, change[1])
        elif change[0] == "name":
            kept[change[1]] = change[2]
        elif change[0] == "unname":
            kept.pop(change[1], None)
        elif change[0] == "rename":
            kept.pop(change[1], None)
            kept[change[2]] = change[3]
    return kept


def load(folder, node):
    for entry in os.scandir(folder):
        child = Inode(entry.is_dir(), entry.stat().st_mode & 0o7777)
        if child.folder:
            load(entry.path, child)
        else:
            with open(entry.path, "rb") as file:
                child.now = bytearray(file.read())
        child.wait()
        node.now[entry.name] = child
    node.wait()


def store(folder, names, content_of):
    for name, node in names.items():
        path = f"{folder}/{name}"
        content = content_of(node)
        if node.folder:
            os.mkdir(path, 0o700)
            store(path, content, content_of)
        else:
            with open(path, "wb") as file:
                file.write(content)
        os.chmod(path, node.mode)


def serve(folder, cut, variant, seed):
    """Mounts, in a process of its own. After unmounting, puts what survived into the folder."""
    disk = Disk(cut)
    load(folder, disk.root)
    FUSE(disk, folder, foreground=True, nothreads=True, nonempty=True, big_writes=True, default_permissions=True)
    for entry in os.scandir(folder):
        shutil.rmtree(entry.path) if entry.is_dir() else os.unlink(entry.path)
    chance = random.Random(seed)
    until = chance.randrange(disk.changes + 1)
    known = {}

    def content_of(node):
        # A file with two names has the same contents under both.
        if id(node) not in known:
            known[id(node)] = survive(node, variant, chance, until) if disk.is_off else node.now
        return known[id(node)]

    store(folder, content_of(disk.root), content_of)
    print(f"changes {disk.changes} cut {int(disk.is_off)}", flush=True)


def is_mounted(folder):
    return os.stat(folder).st_dev != os.stat(os.path.dirname(folder)).st_dev


def main():
    # This process uses none of the pipes of other disks.
    os.closerange(3, 1024)
    child, folder = None, None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "mount":
            folder = words[1]
            child = os.fork()
            if child == 0:
                os.close(0)
                try:
                    serve(folder, int(words[2]), int(words[3]), int(words[4]))
                except BaseException as error:
                    print(f"failed {error!r}", flush=True)
                os._exit(0)
            late = time.monotonic() + 20
            while not is_mounted(folder) and time.monotonic() < late:
                if os.waitpid(child, os.WNOHANG)[0]:
                    child = None
                    break
                time.sleep(0.001)
            if child:
                print("mounted", flush=True)
        elif words[0] == "unmount" and child:
            unmount(folder)
            os.waitpid(child, 0)
            child = None
    if child:
        unmount(folder)
        os.kill(child, signal.SIGKILL)


def unmount(folder):
    for _ in range(1000):
        if subprocess.run(["fusermount", "-u", folder], stderr=subprocess.DEVNULL).returncode == 0:
            return
        # A killed process still releases its files.
        time.sleep(0.002)
    subprocess.run(["fusermount", "-u", "-z", folder])


main()
