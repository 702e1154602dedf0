# test_slurm.py: packaging/slurm/supple-bake.sbatch on a real Slurm of one node, started here: a clip is baked as an array
# job, one of whose tasks is killed while it writes and requeued; a dependent job joins the parts; the file equals that
# of one process. Skipped where Slurm and MUNGE (Debian: slurm-wlm, munge) are not installed or cannot be started.
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
SCRIPT = os.path.join(os.environ["SUPPLE_SOURCE_DIR"], "packaging", "slurm", "supple-bake.sbatch")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")
SHARDS, KILLED, FRAMES = 4, 2, 1200

CONFIGURATION = """
ClusterName=supple
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={root}/munge/socket,cred_expire=5
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
SlurmctldPort={controller}
SlurmdPort={node}
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=1
JobRequeue=1
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""

# Stands for the command in the jobs. The task to be killed is stopped, the first time, once it has begun to write.
WRAPPER = """#!/bin/sh
echo "task ${{SLURM_ARRAY_TASK_ID:-join}} run ${{SLURM_RESTART_COUNT:-0}}" >> '{root}/runs'
if [ "${{SLURM_ARRAY_TASK_ID:-}}" = {killed} ] && [ "${{SLURM_RESTART_COUNT:-0}}" = 0 ]; then
  '{command}' "$@" &
  until ls '{output}'.part-*.tmp >/dev/null 2>&1 || ! kill -0 $!; do :; done
  kill -STOP $!
  touch '{root}/stopped'
  sleep 600
fi
exec '{command}' "$@"
"""


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def free_ports(count):
    taken = [socket.socket() for _ in range(count)]
    for s in taken:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in taken]
    for s in taken:
        s.close()
    return ports


class Cluster:
    def __init__(self, root):
        self.root, self.daemons = root, []
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}
        self.environment["SLURM_CONF"] = os.path.join(root, "slurm.conf")

    def run(self, *arguments, timeout=60):
        return subprocess.run(arguments, capture_output=True, text=True, env=self.environment, cwd=self.root,
                              stdin=subprocess.DEVNULL, timeout=timeout)

    def daemon(self, *arguments, **more):
        log = open(os.path.join(self.root, "%s.log" % len(self.daemons)), "wb")
        self.daemons.append(subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                             env=self.environment, cwd=self.root, start_new_session=True, **more))
        log.close()

    def wait_for(self, what, seconds, condition):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return "%s did not come within %d s" % (what, seconds)
            dead = [d for d in self.daemons if d.poll() is not None]
            if dead:
                return "%s ended early" % dead[0].args[0]
            time.sleep(0.1)
        return None

    def start(self):
        """None, or why it could not be started."""
        root, host = self.root, socket.gethostname().split(".")[0]
        munge = os.path.join(root, "munge")
        for folder in (munge, os.path.join(root, "state"), os.path.join(root, "spool")):
            os.makedirs(folder, mode=0o755)
        with open(os.path.join(munge, "key"), "wb") as key:
            key.write(os.urandom(128))
        os.chmod(os.path.join(munge, "key"), 0o400)
        user = pwd.getpwnam("munge")
        for path in (munge, os.path.join(munge, "key")):
            os.chown(path, user.pw_uid, user.pw_gid)
        controller, node = free_ports(2)
        with open(self.environment["SLURM_CONF"], "w") as file:
            file.write(CONFIGURATION.format(root=root, host=host, controller=controller, node=node))
        self.daemon("munged", "--force", "--foreground", "--socket=%s/socket" % munge,
                    "--key-file=%s/key" % munge, "--pid-file=%s/pid" % munge, "--seed-file=%s/seed" % munge,
                    "--log-file=%s/log" % munge, user=user.pw_uid, group=user.pw_gid, extra_groups=[])
        why = self.wait_for("MUNGE's socket", 10, lambda: os.path.exists(os.path.join(munge, "socket")))
        if why:
            return why
        self.daemon("slurmctld", "-D", "-i")
        why = self.wait_for("slurmctld", 15, lambda: self.run("scontrol", "ping").returncode == 0)
        if why:
            return why
        self.daemon("slurmd", "-D", "-N", host)
        return self.wait_for("an idle node", 15, lambda: "State=IDLE" in self.run("scontrol", "show", "node").stdout)

    def logs(self):
        text = ""
        for number in range(len(self.daemons)):
            with open(os.path.join(self.root, "%d.log" % number), errors="replace") as file:
                text += "---- %s\n%s" % (self.daemons[number].args[0], file.read()[-3000:])
        return text

    def stop(self):
        if len(self.daemons) > 1:
            try:
                self.run("scancel", "--user=root", "--signal=KILL", "--full", timeout=10)
                self.run("scancel", "--user=root", timeout=10)
                end = time.monotonic() + 5
                while time.monotonic() < end and self.run("squeue", "-h", timeout=10).stdout.strip():
                    time.sleep(0.1)
            except subprocess.TimeoutExpired:
                pass
        for daemon in reversed(self.daemons):
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(daemon.pid, number)
                    daemon.wait(timeout=5)
                    break
                except (subprocess.TimeoutExpired, ProcessLookupError):
                    continue


def read(path):
    with open(path, "rb") as file:
        return file.read()


def bake(cluster, root):
    """The list of what went wrong."""
    problems = []
    asset, whole, output = (os.path.join(root, name) for name in ("figure.glb", "whole.pc2", "figure.pc2"))
    subprocess.run([COMMAND, "fixture", "figure", "-o", asset], check=True)
    subprocess.run([COMMAND, "bake", asset, "-o", whole, "--frames", str(FRAMES)], check=True)
    wrapper = os.path.join(root, "supple")
    with open(wrapper, "w") as file:
        file.write(WRAPPER.format(root=root, killed=KILLED, command=COMMAND, output=output))
    os.chmod(wrapper, 0o755)
    arguments = [asset, "-o", output, "--frames", str(FRAMES)]
    common = ["sbatch", "--parsable", "--cpus-per-task=1", "--mem=0", "--export=ALL,SUPPLE=" + wrapper,
              "--output=%s/job-%%j.txt" % root]
    done = cluster.run(*common, "--array=0-%d" % (SHARDS - 1), SCRIPT, *arguments)
    if done.returncode:
        return ["sbatch: " + done.stderr]
    array = done.stdout.strip().split(";")[0]
    done = cluster.run(*common, "--dependency=afterok:" + array, SCRIPT, "--join", *arguments)
    if done.returncode:
        return ["sbatch --join: " + done.stderr]
    why = cluster.wait_for("the task to be killed", 60, lambda: os.path.exists(os.path.join(root, "stopped")))
    if why:
        return [why]
    if os.path.exists("%s.part-%d-of-%d" % (output, KILLED + 1, SHARDS)):
        problems.append("the task that is to be killed was done already")
    done = cluster.run("scontrol", "requeue", "%s_%d" % (array, KILLED))
    if done.returncode:
        return ["requeue: " + done.stderr]
    # The task starts again when its old credential has expired (cred_expire): hurried, it may carry the same second as
    # the one just revoked, and the node refuses it.
    why = cluster.wait_for("the end of all jobs", 120, lambda: not cluster.run("squeue", "-h").stdout.strip())
    if why:
        problems.append(why + ": " + cluster.run("squeue").stdout)
    runs = read(os.path.join(root, "runs")).decode().splitlines()
    wanted = ["task %d run 0" % i for i in range(SHARDS)] + ["task %d run 1" % KILLED, "task join run 0"]
    if sorted(runs) != sorted(wanted):
        problems.append("what ran: %s" % runs)
    if not os.path.exists(output) or read(output) != read(whole):
        problems.append("the joined file is not the one that a single process writes")
    left = [name for name in os.listdir(root) if ".part-" in name or name.endswith(".tmp")]
    if left:
        problems.append("files are left behind: %s" % left)
    if problems:
        for name in sorted(os.listdir(root)):
            if name.startswith("job-"):
                problems.append("%s: %s" % (name, read(os.path.join(root, name)).decode(errors="replace")[-500:]))
    return problems


def main():
    if not COMMAND or not os.path.isfile(COMMAND):
        skip("the command was not built")
    missing = [p for p in PROGRAMS if not shutil.which(p, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")]
    if missing:
        skip("there is no %s (Debian: slurm-wlm, munge)" % ", ".join(missing))
    if os.geteuid() != 0:
        skip("Slurm's daemons are started as root")
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    try:
        pwd.getpwnam("munge")
    except KeyError:
        skip("there is no user munge")
    root = tempfile.mkdtemp(prefix="supple-slurm-")
    os.chmod(root, 0o755)
    cluster = Cluster(root)
    try:
        why = cluster.start()
        if why:
            print(cluster.logs())
            skip("Slurm could not be started: " + why)
        problems = bake(cluster, root)
        if problems:
            print(cluster.logs())
    finally:
        cluster.stop()
        shutil.rmtree(root, ignore_errors=True)
    for problem in problems:
        print("FAIL " + problem)
    print("%d problems" % len(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
