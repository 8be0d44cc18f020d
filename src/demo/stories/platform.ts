/** The shop's servers: a lock nobody holds, pods that die, a certificate, a slow pipeline, a database upgrade. */
import { type Chapter, claude, copilot, vscode } from "../telling.ts";

const stateLock = copilot(
  "state-lock",
  { title: "Terraform state is locked by a job that is gone", when: "81d 16:25", branch: "main" },
  `
  > terraform plan says the state is locked. The CI job that took the lock was cancelled an hour ago.
  @failed run terraform -chdir=envs/staging plan # See the lock
  | Error: Error acquiring the state lock
  |   ID:        7c1de2a4-55f0-4d0e-9a61-0c7f2b9e1d33
  |   Operation: OperationTypeApply
  |   Who:       runner@ci-7f9c
  |   Created:   61 minutes ago

  The lock is from an **apply**, not a plan. Before removing it we should know how far that apply got; a half-applied change plus a
  forced unlock is how states get lost.

  > How do we find out?
  @run gh run view 5120 --log | tail -5 # Read the end of the cancelled job
  | module.queue.kafka_topic.orders: Modifying... [id=orders]
  | module.queue.kafka_topic.orders: Modifications complete after 3s
  | Error: The operation was canceled.

  It finished the one resource it was working on and was cancelled between two. So the state is at worst one write behind. I would:

  1. copy the state (´terraform state pull > before.tfstate´),
  2. unlock with the exact id,
  3. run ´plan´ and expect only the remaining changes.

  > Go.
  @run terraform -chdir=envs/staging state pull > before.tfstate && wc -c before.tfstate # Keep a copy
  | 184233 before.tfstate
  @run terraform -chdir=envs/staging force-unlock -force 7c1de2a4-55f0-4d0e-9a61-0c7f2b9e1d33 # Unlock
  | Terraform state has been successfully unlocked!
  @run terraform -chdir=envs/staging plan # What is left to do?
  | Plan: 0 to add, 2 to change, 0 to destroy.

  Two changes left, both from that job. It is safe to run the apply again.
`,
);

const oomKilled = copilot(
  "oom-killed",
  { title: "Image resizer restarts every forty minutes", when: "63d 07:55", branch: "fix/resizer-memory" },
  `
  > The resizer pods restart about every 40 minutes. Memory limit is 512Mi. Is it a leak?
  @run kubectl describe pod -l app=resizer | grep -A3 "Last State" # Why did they stop?
  |     Last State:  Terminated
  |       Reason:    OOMKilled
  |       Exit Code: 137
  @run kubectl top pod -l app=resizer --containers # How much do they use now?
  | resizer-6d9f7-2xk4p  resizer  12m  301Mi
  | resizer-6d9f7-9qhzl  resizer  9m   478Mi

  Killed for memory. It grows steadily rather than in jumps, which speaks for a leak or a cache without a bound.
  @search new Map|cache in services/resizer/src
  | services/resizer/src/resize.ts:11:const done = new Map<string, Buffer>();

  And there it is: ´done´ remembers every resized image for ever. With 40 images a minute of about 300 kB that is 512 MB in roughly
  40 minutes.

  > Do we need that cache at all? There is a CDN in front.
  @run kubectl logs -l app=resizer --since=1h | grep -c "from cache" # How often does it help?
  | 17

  17 hits in an hour against 2,400 requests. The CDN does the work; I'd remove it.

  > Remove it.
  @edit services/resizer/src/resize.ts
  - const done = new Map<string, Buffer>();
  @run npm test --workspace services/resizer # Run its tests
  |       Tests  15 passed (15)
  @run git commit -am "Let the CDN cache resized images, not the resizer" # Commit
  | [fix/resizer-memory 5f03c9b] Let the CDN cache resized images, not the resizer
  |  1 file changed, 1 insertion(+), 9 deletions(-)

  Removed in ´5f03c9b´.

  @after 23h
  > It has been running since yesterday. Still fine?
  @run kubectl top pod -l app=resizer --containers # Check after a day
  | resizer-7b4c8-hh2vd  resizer  11m  148Mi
  | resizer-7b4c8-wz9sn  resizer  10m  151Mi

  148 and 151 MiB after 23 hours, no restarts. You could lower the limit to 256Mi.
`,
);

const certExpiry = copilot(
  "cert-expiry",
  {
    title: "Certificate expires tomorrow and was not renewed",
    when: "31d 06:48",
    model: "gpt-5",
    branch: "main",
  },
  `
  > Alert: the certificate for api.lumen-shop.example expires in 23 hours. cert-manager should have renewed it.
  @run kubectl describe certificate api -n edge | tail -6 # Ask cert-manager
  | Status: False   Reason: Failed
  | Message: The certificate request has failed to complete and will be retried:
  |   Failed to wait for order resource "api-1" to become ready: order is in "invalid" state:
  |   acme: error 403: DNS problem: NXDOMAIN looking up TXT for _acme-challenge.api.lumen-shop.example

  The challenge record never appears in DNS. That is either the permission of the DNS token or the wrong zone.
  @run kubectl logs -n cert-manager deploy/cert-manager --since=2h | grep -i zone # Which zone does it write to?
  | found zone "lumen-shop.example." for "_acme-challenge.api.lumen-shop.example."
  | error: zone is read-only for this token (403)

  The zone is right, the token is not: it may read the zone but no longer write to it.

  > Someone rotated the DNS token last week. Where does it have to go?
  @search dns-token in clusters
  | clusters/edge/cert-manager/secret.yaml:7:  name: dns-token
  | clusters/edge/external-dns/secret.yaml:7:  name: dns-token

  There are two secrets with that name in two namespaces. ´external-dns´ has the new token (DNS entries work), ´cert-manager´ still
  has the old one, which was made read-only. Put the new value into ´cert-manager´ the usual way; I should not see it.

  > Done. Trigger the renewal.
  @run kubectl cert-manager renew api -n edge # Renew now
  | Manually triggered issuance of Certificate edge/api
  @run kubectl wait certificate/api -n edge --for=condition=Ready --timeout=180s # Wait for it
  | certificate.cert-manager.io/api condition met

  Renewed, valid for another 90 days.

  > What keeps this from happening again?

  Two things: one secret, mirrored into both namespaces, so that a rotation cannot miss one; and an alert on
  ´certmanager_certificate_ready_status == 0´ for six hours, because a failed renewal was visible **three weeks** before the expiry.
  Shall I open issues for both?

  > Yes please.
  @run gh issue create --title "Mirror the DNS token instead of copying it" --label reliability # First issue
  | https://github.com/lumen-shop/platform/issues/207
  @run gh issue create --title "Alert when a certificate is not ready for six hours" --label reliability # Second issue
  | https://github.com/lumen-shop/platform/issues/208

  Opened #207 and #208.
`,
);

const ciSpeed = claude(
  "ci-speed",
  { title: "Bring the pipeline from 18 to under 6 minutes", when: "26d 10:30", branch: "ci/faster" },
  `
  > The pipeline takes 18 minutes, people stop waiting for it. Goal: under 6 without buying bigger machines.
  @run node tools/ci-times.mjs --runs 50 # Where does the time go?
  | install            4m10s  (every job, 5 jobs)
  | lint + types       2m05s
  | unit tests         3m20s
  | end-to-end tests   9m40s
  | image build        5m15s
  | critical path     18m02s

  The critical path is install → build → end-to-end. Three steps should get you there:

  1. **Install once**: cache by lock file; 4m10s → 20 s in each job.
  2. **Image layers**: copy ´package-lock.json´ before the sources; 5m15s → about 1m when dependencies did not change.
  3. **End-to-end in four shards**: 9m40s → about 2m50s.

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
    when: "9d 09:05",
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

export const platform: Chapter = {
  folder: "platform",
  repository: "lumen-shop/platform",
  tellings: [stateLock, oomKilled, certExpiry, ciSpeed, yamlAnchors, pgUpgrade],
};
