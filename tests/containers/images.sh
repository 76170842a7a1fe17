#!/bin/sh
# The images of the example `visits-in-containers`, under their names, built of this machine's own programs: not every
# machine can pull them. `images.sh FOLDER`, in the Podman that `podman.sh FOLDER` runs. Where it fails it says why.
set -eu
folder=$1
export CONTAINERS_CONF="$folder/containers.conf" CONTAINERS_STORAGE_CONF="$folder/storage.conf"

# The modules that the page needs, and the packages that they look into later.
MODULES='
import encodings.idna, html, http.server, pathlib, socket, sys
files = {pathlib.Path(it.__file__) for it in list(sys.modules.values()) if getattr(it, "__file__", None)}
packages = {it.parent for it in files if it.name == "__init__.py"}
files |= {file for package in packages for file in package.glob("*.py")}
print(*sorted(files), sep="\n")'

# `build NAME FILE…`: an image with these files and the libraries that they need.
build() {
    name=$1
    shift
    root=$(mktemp -d "$folder/image-XXXXXX")
    mkdir "$root/root"
    for file; do
        cp --parents --dereference "$file" "$root/root"
        case $file in
        *.py) ;;
        *) ldd "$file" | grep --only-matching '/[^ ]*' | xargs -I LIBRARY cp --parents --dereference LIBRARY "$root/root" ;;
        esac
    done
    printf 'FROM scratch\nCOPY root /\nENV PATH=/usr/bin\n' >"$root/Containerfile"
    podman build --format docker --tag "$name" "$root" </dev/null
    rm -rf "$root"
}

for program in /usr/bin/redis-server /usr/bin/python3; do
    if [ ! -x "$program" ]; then
        echo "$program is not there; cargo xtask setup installs it" >&2
        exit 1
    fi
done
build docker.io/library/redis:7-alpine /usr/bin/redis-server
# shellcheck disable=SC2046 # One word for each file is what is wanted.
build docker.io/library/python:3-alpine /usr/bin/python3 $(/usr/bin/python3 -c "$MODULES")
