/** The same servers on calmer days: a faster pipeline, settings written once, a database upgrade. */
import { type Chapter, claude, vscode } from "../telling.ts";

const ciSpeed = claude(
  "ci-speed",
  { title: "Bring the pipeline from 18 to under 6 minutes", when: "26d 10:30", branch: "ci/faster" },
  `
  > The pipeline takes 18 minutes, people stop waiting for it. Goal: under 6 without buying bigger machines.
  @run node tools/ci-times.mjs --runs 50 # Where does the time go?
  | install            4m10s  (every job, 5 jobs)
  | lint + types       2m05s
  | unit tests         3m20s
  | end-to-end tests   8m37s
  | image build        5m15s
  | critical path     18m02s

  The critical path is install → build → end-to-end. Three steps should get you there:

  1. **Install once**: cache by lock file; 4m10s → 20 s in each job.
  2. **Image layers**: copy ´package-lock.json´ before the sources; 5m15s → about 1m when dependencies did not change.
  3. **End-to-end in four shards**: 8m37s → about 2m30s.

  > Start with the image.
  @read Dockerfile
  | FROM node:24-slim
  | WORKDIR /app
  | COPY . .
  | RUN npm ci && npm run build
  @edit Dockerfile
  - COPY . .
  - RUN npm ci && npm run build
  + # Dependencies change rarely, sources with every commit: two layers, so that the slow one is kept.
  + COPY package.json package-lock.json ./
  + RUN npm ci
  + COPY . .
  + RUN npm run build
  @run docker build . --progress=plain 2>&1 | tail -2 # Build twice, the second time with a changed source
  | #9 CACHED RUN npm ci
  | real 0m52s

  52 seconds when only sources changed.

  > Now the shards. Won't four shards fight over one database?
  @think
  | The end-to-end tests share a schema "e2e". Either a database per shard or a schema per worker. The fixtures create data through
  | the API, so a schema name from an environment variable is enough.

  They would. Each shard gets a schema of its own, named after its number; migrations take 3 s per schema.
  @edit .github/workflows/test.yml
  -       - run: npm run e2e
  +     strategy:
  +       matrix:
  +         shard: [1, 2, 3, 4]
  +       - run: npm run e2e -- --shard=$SHARD/4
  @run gh run watch --exit-status # Wait for the first sharded run
  | ✓ ci/faster test · 5391  5m31s

  **5m31s**, all green.

  > Great. Merge it and write two lines for the team channel.
  @run gh pr merge 215 --squash # Merge
  | ✓ Squashed and merged pull request lumen-shop/platform#215

  Merged. For the channel:

  *CI now takes about five and a half minutes instead of eighteen. If a job suddenly installs everything again, the lock file
  changed; that is normal once.*
`,
);

const yamlAnchors = vscode(
  "yaml-anchors",
  { title: "Share settings between two services in YAML", when: "17d 11:44" },
  `
  > Can I reuse the env block of one service for another in docker compose without copying it?

  Yes, with an extension field and an anchor:

  ´´´yaml
  x-env: &env
    LOG_LEVEL: info
    TZ: UTC

  services:
    api:
      environment:
        <<: *env
        PORT: "8080"
    worker:
      environment: *env
  ´´´

  Keys that begin with ´x-´ are ignored by compose. A merged block (´<<´) can be extended; a plain alias (´*env´) is exactly the same block.

  > The merge does not work with a list of "KEY=value".

  Right, ´<<´ merges mappings only. Write the environment as a mapping (´KEY: value´) and it works; both forms mean the same to compose.
  Quote numbers and ´yes´/´no´, or YAML will turn them into something else.
`,
);

const pgUpgrade = claude(
  "pg-upgrade",
  {
    title: "Plan the PostgreSQL 18 upgrade",
    when: "5d 09:05",
    model: "claude-opus-4-1",
    branch: "docs/pg18",
  },
  `
  > We run PostgreSQL 15 with 600 GB and may be down for ten minutes at most. Plan the upgrade to 18; list what can go wrong.
  @run psql shop -c "SELECT extname, extversion FROM pg_extension" # Which extensions matter?
  |   extname    | extversion
  | -------------+------------
  |  pg_trgm     | 1.6
  |  pgcrypto    | 1.3
  |  postgis     | 3.3.2
  @think
  | pg_upgrade --link is minutes even at 600 GB, but no way back after start. Logical replication allows a way back but sequences and
  | DDL are not replicated. postgis must be upgraded first. Statistics: since 18, pg_upgrade keeps optimizer statistics.

  Two ways fit into ten minutes:

  | | ´pg_upgrade --link´ | logical replication |
  |---|---|---|
  | downtime | 3–6 min | under 1 min |
  | way back | backup only, hours | old server keeps running |
  | effort | small | sequences, DDL freeze, slots |

  I recommend ´pg_upgrade --link´ **on a fresh replica**: stop writes, promote the replica, upgrade it, switch. The old primary stays
  untouched as the way back.

  What can go wrong: PostGIS must be at a version that exists for both; unlogged tables are empty on a replica; and connections pooled
  by name keep pointing at the old host until the pool is told.

  > Do we have unlogged tables?
  @run psql shop -c "SELECT relname FROM pg_class WHERE relpersistence = 'u'" # Look for unlogged tables
  |     relname
  | ---------------
  |  rate_limits

  One: ´rate_limits´. It may start empty; customers would at worst get a fresh allowance.

  > Write the runbook with times, and a rehearsal on staging first.
  @create docs/runbooks/postgres-18.md
  | # PostgreSQL 15 to 18
  |
  | | minute | step | undo |
  | |---|---|---|
  | | −1 day | rehearse on staging, compare the times | – |
  | | 0 | shop in read-only mode | leave the mode |
  | | 1 | replica caught up, then promoted | point the pool back |
  | | 2 | pg_upgrade --link --check, then without --check | old primary is untouched |
  | | 5 | start 18, smoke tests | point the pool back |
  | | 7 | pool to the new host, leave read-only mode | – |

  The runbook is in ´docs/runbooks/postgres-18.md´: seven minutes by plan, with an undo for every step up to the last.
`,
);

export const platformPlans: Chapter = {
  folder: "platform",
  repository: "lumen-shop/platform",
  tellings: [ciSpeed, yamlAnchors, pgUpgrade],
};
