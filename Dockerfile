FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY web ./web
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json .swcrc ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
# A worker answers health where PORT says, and nowhere without it: the check below asks there.
ENV PORT=3000
# One arena for what is allocated outside the heaps: less memory. Arrays of a megabyte and more go back to the system when they are let go of. One thread for the collector leaves a core to searches (docs/benchmarks.md).
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1048576 NODE_OPTIONS="--max-semi-space-size=8 --v8-pool-size=1"
# For `docker exec ... vitrine`: the service of this container, whatever its public address is.
ENV VITRINE_URL=http://127.0.0.1:3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY elastic ./elastic
RUN mkdir /data && chown node:node /data && chmod +x dist/cli.js && ln -s /app/dist/cli.js /usr/local/bin/vitrine
USER node
VOLUME /data
EXPOSE 3000
# Five minutes: the first start after an import indexes all products before it serves. The first check that passes ends them.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5m \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
