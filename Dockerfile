# syntax=docker/dockerfile:1
# Container of Muster: docker build -t muster .
# glibc is needed: the locked Node does not run on Alpine.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
# Installs the packages with the locked Node, builds agent and console, and writes what runs to dist/files.
RUN node scripts/setup.mjs \
	&& PATH="$PWD/node_modules/.bin:$PATH" node scripts/pack.ts --files \
	&& mkdir -p /out/bin && cp -L node_modules/.bin/node /out/bin/node \
	&& cp -r dist/files/server dist/files/agent dist/files/console dist/files/node_modules dist/files/package.json \
		dist/files/LICENSE dist/files/NOTICE deploy/docker/healthcheck.mjs /out/ \
	&& mkdir -p /data && chown 10001:10001 /data

FROM debian:bookworm-slim
RUN apt-get update \
	&& apt-get install -y --no-install-recommends ca-certificates libstdc++6 \
	&& rm -rf /var/lib/apt/lists/*
COPY --from=build --chown=root:root /out /usr/lib/muster
COPY --from=build --chown=10001:10001 /data /data
RUN printf '#!/bin/sh\nexec /usr/lib/muster/bin/node /usr/lib/muster/server/src/main/muster.mjs "$@"\n' > /usr/bin/muster \
	&& chmod 755 /usr/bin/muster
# Metrics are reachable from other containers, but no port is published by default.
ENV MUSTER_DATA=/data MUSTER_METRICS_HOST=0.0.0.0 NODE_COMPILE_CACHE=/tmp/muster
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8443 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
	CMD ["/usr/lib/muster/bin/node", "/usr/lib/muster/healthcheck.mjs"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["muster"]
CMD ["serve"]
