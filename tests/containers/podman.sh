#!/bin/sh
# A Podman of the tests' own, all of it in a folder: `podman.sh FOLDER`. Says `ready` once it runs containers, or why it
# cannot. It lives for as long as its input is open, and takes everything away then, also what it is left with.
# Its socket is FOLDER/podman.sock; who has CONTAINERS_CONF and CONTAINERS_STORAGE_CONF from there talks to it.
set -u
# Who started it may be gone before it has said anything: all is taken away then, too.
trap : PIPE
folder=$1
PATH=$PATH:/usr/local/bin:/usr/sbin:/sbin

refuse() {
    echo "$1"
    exit 1
}

there() {
    command -v "$1" >/dev/null || refuse "$1 is not installed (Debian: $2; or cargo xtask setup)"
}

there podman podman
there runc runc
there busybox busybox-static

mkdir -p "$folder" || refuse "cannot make $folder"
cat >"$folder/containers.conf" <<END
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$folder/tmp"
lock_type = "file"
exit_command_delay = 10
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[network]
network_backend = "netavark"
network_config_dir = "$folder/networks"
default_subnet = "10.254.0.0/24"
END
cat >"$folder/storage.conf" <<END
[storage]
driver = "vfs"
graphroot = "$folder/root"
runroot = "$folder/run"
END
export CONTAINERS_CONF="$folder/containers.conf" CONTAINERS_STORAGE_CONF="$folder/storage.conf"

podman system service --time=0 "unix://$folder/podman.sock" >"$folder/log" 2>&1 </dev/null &
service=$!

clear_away() {
    podman rm --all --force --time 0 >/dev/null 2>&1
    kill "$service" 2>/dev/null
    wait "$service"
    # Until then Podman still tidies up after commands, and would make the folder anew.
    sleep 12
    rm -rf "$folder"
}

give_up() {
    echo "$1"
    exec >&-
    clear_away
    exit 1
}

# An image with busybox: `image NAME CONTAINERFILE`.
image() {
    mkdir -p "$folder/image" && cp "$(command -v busybox)" "$folder/image/busybox" || return
    printf '%s\n' "$2" >"$folder/image/Containerfile"
    podman build --format docker --tag "$1" "$folder/image" >"$folder/said" 2>&1 </dev/null
}

left=200
until [ -S "$folder/podman.sock" ]; do
    left=$((left - 1))
    [ "$left" -gt 0 ] && kill -0 "$service" 2>/dev/null || give_up "Podman does not start: $(tail -n 1 "$folder/log")"
    sleep 0.1
done

base=localhost/planloom-test:1
image "$base" "FROM scratch
COPY busybox /bin/busybox
ENV PATH=/bin" || give_up "Podman builds no images here: $(tail -n 1 "$folder/said")"
image localhost/planloom-test-health:1 "FROM $base
HEALTHCHECK CMD [\"/bin/busybox\", \"test\", \"-e\", \"/healthy\"]" ||
    give_up "Podman builds no images here: $(tail -n 1 "$folder/said")"
# Where a machine lets no container run, the tests cannot either.
podman run --rm --publish 127.0.0.1::80 "$base" /bin/busybox true >"$folder/said" 2>&1 </dev/null ||
    give_up "Podman runs no containers here: $(tail -n 1 "$folder/said")"

echo ready
cat >/dev/null
exec >&-
clear_away
