import type { Command } from "../../src/sandbox/types.ts";
import { python, sh } from "../helpers/commands.ts";

/** What one rollout may leave, and how the next one would look for it. `shows`: whether it can be seen before that. */
export const LEAKS: { what: string; leave: Command; look: Command; shows: boolean }[] = [
  {
    what: "files, closed folders and the work folder's mode",
    leave: sh(
      "mkdir -p deep/er; echo x >deep/er/x; chmod 000 deep/er deep; echo x >.hidden; rm c; echo y >a/b; chmod 000 . || true",
    ),
    look: sh("stat -c %a .; find . | sort; cat a/b c"),
    shows: true,
  },
  {
    what: "files in /tmp, in the home and in shared memory",
    leave: sh(
      "echo x >/tmp/x; echo x >/tmp/.profile; mkdir -m 000 /tmp/y; echo x >/dev/shm/sem.x; cd; echo x >.gitconfig",
    ),
    look: sh("find /tmp /dev/shm -mindepth 1"),
    shows: true,
  },
  {
    what: "attributes of the folders themselves",
    leave: python(`import fcntl, os, struct
acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in ((1, 7, 0xffffffff), (4, 7, 0xffffffff), (32, 7, 0xffffffff)))
for folder in (".", "/tmp", "/dev/shm"):
    for name, value in (("user.leak", b"1"), ("system.posix_acl_default", acl)):
        try: os.setxattr(folder, name, value)
        except OSError: pass
    try: fcntl.ioctl(os.open(folder, os.O_RDONLY), 0x40086602, struct.pack("l", 0x40))
    except OSError: pass
    try: os.utime(folder, (7, 7))
    except OSError: pass`),
    look: python(`import fcntl, os, struct
for folder in (".", "/tmp", "/dev/shm"):
    print(folder, os.listxattr(folder), os.stat(folder).st_mtime == 7, oct(os.stat(folder).st_mode))
    try: print(struct.unpack("l", fcntl.ioctl(os.open(folder, os.O_RDONLY), 0x80086601, bytes(8))))
    except OSError as e: print(e)`),
    shows: false,
  },
  {
    what: "what was read, and locks on it",
    leave: python(`import fcntl, os, time
files = [open("/input/base/" + name) for name in ("c", "a/b")]
for f in files: f.read(); fcntl.flock(f, fcntl.LOCK_EX)
os.listdir("/input/base"); open("/usr/bin/env", "rb").read()
if os.fork() == 0: os.setsid(); time.sleep(60)`),
    look: python(`import fcntl, os
for name in ("/input/base/c", "/input/base/a/b", "/input/base", "/input", "/usr/bin/env"):
    stat = os.stat(name); print(name, stat.st_atime_ns, stat.st_mtime_ns, stat.st_ctime_ns)
fcntl.flock(open("/input/base/c"), fcntl.LOCK_EX | fcntl.LOCK_NB)`),
    shows: false,
  },
  {
    what: "message queues, semaphores, shared memory",
    leave: sh(`ipcmk -Q; ipcmk -S 1; ipcmk -M 64
python3 -c 'import ctypes; print(ctypes.CDLL("librt.so.1").mq_open(b"/leak", 0o101, 0o600, None))'`),
    look: sh(
      "wc -l </proc/sysvipc/msg; wc -l </proc/sysvipc/sem; wc -l </proc/sysvipc/shm; ls -A /dev/mqueue 2>/dev/null | wc -l",
    ),
    shows: false,
  },
  {
    what: "processes, sockets without a file, ports",
    leave: python(`import os, signal, socket, time
if os.fork() == 0:
    os.setsid()
    for s in range(1, 32):
        try: signal.signal(s, signal.SIG_IGN)
        except OSError: pass
    a = socket.socket(socket.AF_UNIX); a.bind("\\0leak"); a.listen()
    b = socket.socket(); b.bind(("127.0.0.1", 4321)); b.listen()
    if os.fork() == 0: os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(60)
time.sleep(0.2)`),
    look: python(`import glob, socket
print(open("/proc/net/unix").read().count("leak"), len(open("/proc/net/tcp").readlines()))
print(sum("python" in open(p).read() for p in glob.glob("/proc/[0-9]*/comm")))
a = socket.socket(socket.AF_UNIX); a.bind("\\0leak")
b = socket.socket(); b.bind(("127.0.0.1", 4321))`),
    shows: false,
  },
  {
    what: "variables, folder, mask and limits of a process",
    leave: sh("export LEAK=1; cd a; umask 077; ulimit -n 10; ulimit -f 1; renice 10 $$ || true"),
    look: sh("echo $LEAK; pwd; umask; ulimit -n; ulimit -f; nice"),
    shows: false,
  },
];
