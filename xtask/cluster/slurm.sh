#!/bin/bash
# Real Slurm on loopback: a controller and three nodes of this machine run an array of eight shards; one node is killed on the way,
# its shard is taken over by another, and what is gathered is what one process makes.
#
# usage: slurm.sh BRISTLE SCENARIO
set -u
bristle=$1
scenario=$2
for program in munged slurmctld slurmd sbatch squeue scontrol; do
    if ! PATH="$PATH:/usr/sbin:/sbin" command -v "$program" > /dev/null; then
        echo "skipped: there is no $program; install the packages slurm-wlm and munge"
        exit 0
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "skipped: a node of Slurm has to be started by root"
    exit 0
fi
PATH="$PATH:/usr/sbin:/sbin"
folder=$(mktemp -d /tmp/bristle-slurm-XXXXXX)
chmod 755 "$folder"
started=()
leave() {
    for process in "${started[@]}"; do kill -9 "$process" 2> /dev/null; done
    wait 2> /dev/null
    if [ "${kept:-no}" = yes ]; then echo "logs are in $folder"; else rm -rf "$folder"; fi
}
trap leave EXIT
fail() {
    echo "FAILED: $1"
    kept=yes
    exit 1
}

# What proves who is who.
mkdir -m 700 "$folder/munge"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
chmod 400 "$folder/munge/key"
mkdir -m 755 "$folder/socket"
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/socket/munge" --log-file="$folder/munge/log" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" > "$folder/munged.log" 2>&1 &
started+=($!)

base=$((20000 + RANDOM % 20000))
mkdir "$folder/state"
cat > "$folder/slurm.conf" << END
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/socket/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=8
SlurmctldTimeout=30
InactiveLimit=0
KillWait=2
JobRequeue=1
MessageTimeout=10
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/linear
END
for n in 1 2 3; do
    echo "NodeName=n$n NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((base + n)) CPUs=1 State=UNKNOWN" >> "$folder/slurm.conf"
done
echo "PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP" >> "$folder/slurm.conf"
# Older versions cannot do without control groups; those that the system has are then named, and not used.
if [ "$(slurmctld -V | grep -oE '[0-9]+' | head -1)" -ge 23 ]; then
    echo "CgroupPlugin=disabled" > "$folder/cgroup.conf"
elif [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
    printf 'CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n' > "$folder/cgroup.conf"
else
    printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' > "$folder/cgroup.conf"
fi
export SLURM_CONF="$folder/slurm.conf"
sleep 1
slurmctld -D -c > "$folder/slurmctld.out" 2>&1 &
started+=($!)
declare -A node
for n in 1 2 3; do
    mkdir -p "$folder/spool-n$n"
    slurmd -D -N "n$n" > "$folder/slurmd-n$n.out" 2>&1 &
    started+=($!)
    node[$n]=$!
done
for _ in $(seq 60); do
    [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = 3 ] && break
    sleep 1
done
[ "$(sinfo -h -t idle -o %D 2> /dev/null)" = 3 ] || fail "the nodes do not come up: $(sinfo 2>&1 | tail -3)"
echo "three nodes are idle"

question=(--set "pad.law.F_s=normal(117.72, 4)" --set "belt.v=uniform(0.4, 0.6)" --response "slips(pad)" --response "max(block.q)" --runs "${RUNS:-40000}")
cd "$folder" || exit 1
"$bristle" vary "$scenario" "${question[@]}" --out "$folder/alone" > "$folder/alone.log" 2>&1 || fail "one process alone: $(tail -3 "$folder/alone.log")"
"$bristle" vary "$scenario" "${question[@]}" --store "$folder/runs" --slurm --shards 8 || fail "the array could not be submitted"

# Kill a node once it has begun a shard and kept some of its runs.
victim=
for _ in $(seq 300); do
    victim=$(squeue -h -t R -o %N | head -1)
    [ -n "$victim" ] && [ "$(find "$folder/runs" -name '*.runs' -size +4k 2> /dev/null | wc -l)" -gt 0 ] && break
    sleep 0.1
done
[ -n "$victim" ] || fail "nothing runs: $(squeue | tail -3)"
lost=$(squeue -h -t R -w "$victim" -o "%A_%a %K" | head -1)
kill -9 "${node[${victim#n}]}"
# With its node goes all that runs on it: first what watches the shard, so that nobody tells how it ended, then the shard.
for process in $(pgrep -f "$folder/runs --shard"); do
    if tr '\0' '\n' < "/proc/$process/environ" 2> /dev/null | grep -q "^SLURMD_NODENAME=$victim$"; then
        kill -9 "$(ps -o ppid= -p "$process" | tr -d ' ')" "$process"
    fi
done
echo "killed node $victim with task $lost"
scontrol update nodename="$victim" state=down reason=killed 2> /dev/null

for _ in $(seq 300); do
    [ -z "$(squeue -h)" ] && break
    sleep 1
done
[ -z "$(squeue -h)" ] || fail "the array does not end: $(squeue | tail -4)"
cat "$folder"/runs.*.log
"$bristle" gather "$folder/runs" --out "$folder/joined" > "$folder/gather.log" 2>&1 || fail "gathered: $(tail -5 "$folder/gather.log")"
cmp "$folder/joined/data.csv" "$folder/alone/data.csv" || fail "the tables differ"
echo "gathered complete: $(($(wc -l < "$folder/joined/data.csv") - 1)) runs, the table of one process byte by byte"
