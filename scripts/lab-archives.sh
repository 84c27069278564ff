#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions for the scripts beside this file, which source it: the package archives of a release, from the apt settings
# of this machine (no mirror is hardcoded), and the lab images that belong to this checkout.

# Prints a line "URI suite component" for each archive of ORIGIN in apt's settings, with SUITE in place of the release
# of this machine. Repositories of other origins are left out.
list_archives() {  # ORIGIN SUITE
  local own
  # shellcheck source=/dev/null
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  [ -n "$(_list_own_archives "$1" "$own")" ] || apt-get -qq update >&2
  _list_own_archives "$1" "$own" | awk -v own="$own" -v suite="$2" '{ sub("^" own, suite, $2); print }'
}

_list_own_archives() {
  # shellcheck disable=SC2016  # apt fills these in
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
    awk -v origin="$1" -v codename="$2" '
      $NF == origin && ($2 == codename || $2 == codename "-updates" || $2 == codename "-security") &&
      ($3 == "main" || $3 == "universe") { print $1, $2, $3 }' | sort -u
}

# apt accepts a file that lists mirrors; debootstrap needs one mirror.
first_mirror() {
  case $1 in
    mirror+file:*) grep -hoE '^(http|https)://[^[:space:]]+' "${1#mirror+file:}" | head -n 1 ;;
    *) echo "$1" ;;
  esac
}

# Prints the mirror of the release itself; nothing if apt has none.
find_mirror() {  # ORIGIN SUITE
  local base
  base=$(list_archives "$1" "$2" | awk -v suite="$2" '$2 == suite && $3 == "main" { print $1; exit }')
  [ -z "$base" ] || first_mirror "$base"
}

# Prints the apt settings by which a new root reaches the mirrors of this machine. CERTIFICATES is the path of our
# certificates in the root. They do not replace the file of the root, as a package with certificates writes to it.
write_apt_settings() {  # CERTIFICATES
  echo 'APT::Install-Recommends "false";'
  echo 'Acquire::Languages "none";'
  apt-config dump | grep -E '^Acquire::https?::(Proxy|.*::Proxy|Verify)' || true
  echo "Acquire::https::CaInfo \"$1\";"
}

copy_certificates() {  # FILE
  if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    cp /etc/ssl/certs/ca-certificates.crt "$1"
  else
    : > "$1"
  fi
}

# The name of an image contains hashes of its content and of the checkout that uses it. Checkouts share equal images;
# each removes only its own names. podman deletes an image with its last name.
checkout_digest() {
  realpath "$(dirname "${BASH_SOURCE[0]}")/.." | sha256sum | cut -c1-8
}

# Succeeds if the image NAME exists (its suffix is that of the checkout). An image of another checkout with the same
# content also gets this name.
adopt_image() {  # NAME
  local same
  ! podman image exists "$1" 2> /dev/null || return 0
  same=$(podman images --filter "reference=${1%-*}-*" --format '{{.Repository}}:{{.Tag}}' 2> /dev/null | head -n 1)
  [ -n "$same" ] && podman tag "$same" "$1"
}

# Removes the names of this checkout in the repository of NAME that do not begin with KEPT.
drop_older_images() {  # NAME KEPT
  local image
  podman images --filter "reference=${1%:*}" --format '{{.Repository}}:{{.Tag}}' 2> /dev/null |
    { grep -e "-${1##*-}\$" || true; } | while read -r image; do
      case $image in "$2"*) continue ;; esac
      echo "==> Removing the older image $image"
      podman rmi "$image" > /dev/null 2>&1 || echo "    still used by containers: left alone"
    done
}
