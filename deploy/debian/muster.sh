#!/bin/sh
# Command line of Muster. Uses the data of the service, and its user, so that no file belongs to root.
set -eu
: "${MUSTER_DATA:=/var/lib/muster}"
export MUSTER_DATA
set -- /usr/lib/muster/bin/node /usr/lib/muster/server/src/main/muster.mjs "$@"
if [ "$(id -u)" = 0 ] && [ "$MUSTER_DATA" = /var/lib/muster ]; then
	exec setpriv --reuid=muster --regid=muster --init-groups --inh-caps=-all -- "$@"
fi
exec "$@"
