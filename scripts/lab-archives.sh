#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where packages of a release come from, as this machine's apt knows it; for the scripts beside this file, which read it
# with `.`: no mirror is named anywhere. And which images of the lab belong to this checkout.

# Lines "URI suite component" per archive of ORIGIN that apt knows, for the release SUITE. Archives of this machine's own
# release stand for those of another of the same distribution. Repositories of other origins are left out.
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

# apt can name a file that lists mirrors; debootstrap wants one mirror.
first_mirror() {
  case $1 in
    mirror+file:*) grep -hoE '^(http|https)://[^[:space:]]+' "${1#mirror+file:}" | head -n 1 ;;
    *) echo "$1" ;;
  esac
}

# The mirror that has the release itself; empty when apt knows none.
find_mirror() {  # ORIGIN SUITE
  local base
  base=$(list_archives "$1" "$2" | awk -v suite="$2" '$2 == suite && $3 == "main" { print $1; exit }')
  [ -z "$base" ] || first_mirror "$base"
}

# Settings of apt in a new root: how this machine reaches its mirrors. CERTIFICATES is where the root finds ours. They
# are not mounted over its own: a package that comes with certificates writes there.
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

# Images are called after what is in them and after the checkout that uses them: checkouts share what is alike, and each
# removes but its own names. podman forgets an image with its last name.
checkout_digest() {
  realpath "$(dirname "${BASH_SOURCE[0]}")/.." | sha256sum | cut -c1-8
}

# Succeeds when NAME, of which the end is the checkout's, is there; another checkout's image of the same content gets it.
adopt_image() {  # NAME
  local same
  ! podman image exists "$1" 2> /dev/null || return 0
  same=$(podman images --filter "reference=${1%-*}-*" --format '{{.Repository}}:{{.Tag}}' 2> /dev/null | head -n 1)
  [ -n "$same" ] && podman tag "$same" "$1"
}

# Removes names of this checkout in the repository of NAME that begin otherwise than KEPT.
drop_older_images() {  # NAME KEPT
  local image
  podman images --filter "reference=${1%:*}" --format '{{.Repository}}:{{.Tag}}' 2> /dev/null |
    { grep -e "-${1##*-}\$" || true; } | while read -r image; do
      case $image in "$2"*) continue ;; esac
      echo "==> Removing the older image $image"
      podman rmi "$image" > /dev/null 2>&1 || echo "    still used by containers: left alone"
    done
}
