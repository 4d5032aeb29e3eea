# The operator's image: Node, the bundled operator, and nothing else; no shell, no package manager, no root.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --tag IMG .
#
# NODE_IMAGE builds the image and leaves nothing in it: any image with Node 24 and npm.
# BASE_IMAGE is what the image starts from: nothing at all, unless your organisation has a base of its own.
# DEBIAN_URL is a mirror of Debian's archives. The secret `ca` is a certificate authority that npm has to trust, the secret
# `npmrc` a configuration of npm; neither ends up in a layer:
#
#   docker build --secret id=ca,src=ca.pem --secret id=npmrc,src=$HOME/.npmrc --tag IMG .
ARG NODE_IMAGE=node:24-slim
ARG BASE_IMAGE=scratch

# Runs on the builder's own platform only: the parts of another platform are fetched and copied, never started.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package needs an install script here, so none runs.
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    if [ -e /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE tsconfig.json ./
COPY src src
ARG TARGETARCH
ARG DEBIAN_URL
# src/image/pins.json says which Node and which libraries these are, by version and SHA-256.
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    if [ -e /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    MYDEPLOYMENT_DEBIAN_URL="$DEBIAN_URL" node src/image.ts layers --arch "$TARGETARCH" --out /layers

FROM ${BASE_IMAGE}
COPY --from=build /layers/node /
COPY --from=build /layers/operator /
# glibc keeps a heap for each thread unless told otherwise, and a process of a hundred megabytes feels that.
ENV NODE_ENV=production HOME=/ MALLOC_ARENA_MAX=1
USER 65532:65532
EXPOSE 8081 8443 9443
# In exec form Node is process 1 and gets SIGTERM itself, which the operator handles.
# Node is tuned for speed on a large machine; here memory is dearer than a little CPU: less space for young objects, a heap
# that grows in small steps, no threads that collect garbage, and no compiler for code that computes for hours.
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=2", "--single-threaded-gc", "--heap-growing-percent=20", "--no-turbofan", "--liftoff-only", "/operator/operator.mjs"]
