# The operator's image: Node, the bundled operator, and nothing else; no shell, no package manager, no root.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --tag IMG .
#
# NODE_IMAGE builds the bundle and gives the image its Node: Node 24 on Alpine.
# BASE_IMAGE is what the image starts from: nothing at all, unless your house has a base of its own.
ARG NODE_IMAGE=node:24-alpine
ARG BASE_IMAGE=scratch

# The bundle is the same for every platform, so it is made once, on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS bundle
WORKDIR /build
COPY package.json package-lock.json ./
# No install script is needed for bundling, so none runs.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
RUN node src/build.ts bundle --out /out/operator.mjs

# Nothing is run in here: files of another platform can be copied without emulating it.
FROM ${NODE_IMAGE} AS node

FROM ${BASE_IMAGE}
COPY --from=node /lib/ld-musl-*.so.1 /lib/
COPY --from=node /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 /usr/lib/
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=bundle /out /operator
COPY LICENSE /operator/
ENV NODE_ENV=production HOME=/
USER 65532:65532
EXPOSE 8081 8443 9443
# In exec form Node is process 1 and gets SIGTERM itself, which the operator handles.
# Node is tuned for speed on a large machine; here memory is dearer than a little CPU: less space for young objects, a heap
# that grows in small steps, no threads that collect garbage, and no compiler for code that computes for hours.
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=2", "--single-threaded-gc", "--heap-growing-percent=20", "--no-turbofan", "--liftoff-only", "/operator/operator.mjs"]
