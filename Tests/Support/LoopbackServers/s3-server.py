"""An S3-compatible storage on loopback: OpenStack Swift with its S3 API, four processes, run by the environment's Python.

Usage: s3-server.py FOLDER LARGEST     (the folder's file system must know extended attributes; it is removed at the end;
                                        LARGEST: bytes that an object may have)
Says "ready PORT" when it answers, and ends its processes, by their ids, when its standard input is closed: a test that is
killed leaves nothing behind. Access key test:tester, secret testing. It is for tests only.
"""
import getpass, os, pathlib, runpy, shutil, signal, socket, subprocess, sys, urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Waiting"))
from patience import PATIENCE, OutOfPatience, until


def main(folder):
    try:
        open(f"{folder}/probe", "w").close()
        os.setxattr(f"{folder}/probe", "user.probe", b"1")
    except OSError as error:
        sys.exit(f"{folder}: this file system has no extended attributes ({error.strerror})")
    for _ in range(3):  # A port that was free may be taken a moment later.
        ports = free_ports(4)
        servers = dict(zip(("account", "container", "object", "proxy"), ports))
        configure(folder, servers)
        children = [start(folder, name) for name in servers]
        answered = False
        try:
            answered = answers(ports[3], children)
            if answered:
                print(f"ready {ports[3]}", flush=True)
                sys.stdin.read()
                return
        finally:
            for child in children:
                child.kill()
            for child in children:
                child.wait()
            if answered:
                shutil.rmtree(folder, ignore_errors=True)
    sys.exit("it did not start; its words are in " + folder)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def configure(folder, servers):
    os.makedirs(f"{folder}/node/d1", exist_ok=True)
    write(f"{folder}/swift.conf", f"""
[swift-hash]
swift_hash_path_prefix = oracy
swift_hash_path_suffix = trial
[storage-policy:0]
name = gold
default = yes
[swift-constraints]
max_file_size = {sys.argv[2]}
""")
    common = f"""
[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
user = {getpass.getuser()}
swift_dir = {folder}
log_level = WARNING
"""
    for name in ("account", "container", "object"):
        ring(folder, name, servers[name])
        write(f"{folder}/{name}-server.conf", common + f"""
bind_port = {servers[name]}
devices = {folder}/node
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
""")
    filters = ("catch_errors", "gatekeeper", "healthcheck", "listing_formats", "bulk", "s3api", "tempauth", "slo", "dlo")
    options = {"s3api": "s3_acl = no\nlocation = us-east-1\n", "tempauth": "user_test_tester = testing .admin\n"}
    write(f"{folder}/proxy-server.conf", common + f"""
bind_port = {servers["proxy"]}
[pipeline:main]
pipeline = {" ".join(filters)} proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
""" + "".join(f"[filter:{name}]\nuse = egg:swift#{name}\n{options.get(name, '')}" for name in filters))


def ring(folder, name, port):
    """Places the only copy of everything."""
    builder = f"{folder}/{name}.builder"
    for each in (builder, f"{folder}/{name}.ring.gz"):
        if os.path.exists(each):
            os.remove(each)
    tool = os.path.join(os.path.dirname(sys.executable), "swift-ring-builder")
    for arguments in (["create", "6", "1", "0"], ["add", f"r1z1-127.0.0.1:{port}/d1", "1"], ["rebalance"]):
        subprocess.run([sys.executable, tool, builder] + arguments, check=True, stdout=subprocess.DEVNULL)


def start(folder, name):
    log = open(f"{folder}/{name}.log", "ab")
    return subprocess.Popen(
        [sys.executable, __file__, "--serve", folder, name], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        env={**os.environ, "SWIFT_DIR": folder}, preexec_fn=die_with_parent)


def die_with_parent():
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def serve(folder, name):
    """Runs one of the four servers. Without the path set here, it would look for swift.conf in /etc."""
    import swift.common.utils, swift.common.utils.config
    swift.common.utils.config.SWIFT_CONF_FILE = swift.common.utils.SWIFT_CONF_FILE = f"{folder}/swift.conf"
    import swift.common.storage_policy
    program = os.path.join(os.path.dirname(sys.executable), f"swift-{name}-server")
    sys.argv = [program, f"{folder}/{name}-server.conf"]
    runpy.run_path(program, run_name="__main__")


def answers(port, children):
    """Returns whether it answers in time (it takes 8 s on two cores). False as soon as one of its programs has ended."""

    def outcome():
        if any(child.poll() is not None for child in children):
            return "ended"
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthcheck", timeout=PATIENCE).close()
            return "answers"
        except OSError:
            return None

    try:
        return until("the storage answers", outcome) == "answers"
    except OutOfPatience:
        return False


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


if sys.argv[1] == "--serve":
    serve(sys.argv[2], sys.argv[3])
else:
    main(os.path.realpath(sys.argv[1]))
