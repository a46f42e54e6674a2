#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# one_node_slurm.sh FOLDER COMMAND...: a Slurm of one node (munge, a controller, a node) with all of its state in FOLDER,
# for as long as COMMAND runs. As root, with Debian's munge and slurm-wlm. Its exit code is COMMAND's; 77: it did not start.
set -eu
top=$(mkdir -p "$1" && cd "$1" && pwd)
shift
for tool in munged slurmctld slurmd sbatch; do
  command -v $tool > /dev/null || { echo "no $tool here: apt-get install munge slurm-wlm"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "a Slurm of its own needs root"; exit 77; }
host=$(hostname -s)
cores=$(nproc)
chmod 755 "$top"
dd if=/dev/urandom of="$top/munge.key" bs=1 count=1024 2> /dev/null
chmod 600 "$top/munge.key"
mkdir -p "$top/state" "$top/spool"
cat > "$top/slurm.conf" << END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 10000))
SlurmdPort=$((30000 + $$ % 10000))
AuthType=auth/munge
AuthInfo=socket=$top/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/spool
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmctldLogFile=$top/slurmctld.log
SlurmdLogFile=$top/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$top/slurm.conf"
munged --force --key-file="$top/munge.key" --socket="$top/munge.socket" --pid-file="$top/munged.pid" \
  --log-file="$top/munged.log" --seed-file="$top/munged.seed" > "$top/munged.out" 2>&1 || { cat "$top/munged.out"; exit 77; }
finish() {
  for daemon in slurmd slurmctld munged; do
    [ -f "$top/$daemon.pid" ] && kill "$(cat "$top/$daemon.pid")" 2> /dev/null
  done
  true
}
trap finish EXIT
slurmctld -f "$SLURM_CONF" -c > "$top/slurmctld.out" 2>&1 || { cat "$top/slurmctld.out"; exit 77; }
slurmd -f "$SLURM_CONF" -N "$host" > "$top/slurmd.out" 2>&1 || { cat "$top/slurmd.out"; exit 77; }
waited=0
until sinfo -h -o %T 2> /dev/null | grep -q idle; do
  waited=$((waited + 1))
  [ $waited -lt 60 ] || { sinfo; tail -5 "$top"/slurm*.log; echo "the node of Slurm did not come up"; exit 77; }
  sleep 0.5
done
code=0
"$@" || code=$?
exit $code
