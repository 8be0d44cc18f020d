/** Parts that build, ship and watch programs. */
import type { Component } from "../component.ts";

export const DELIVERY: readonly Component[] = [
  {
    name: "Docker image",
    does: "is what runs in production",
    project: "gateway",
    files: ["Dockerfile", "test/image.bats", ".dockerignore"],
    names: ["node_modules", "HEALTHCHECK", "multi_stage"],
    bug: {
      symptom: "The container starts on my laptop and dies on the server without a word.",
      error: "exec /usr/local/bin/docker-entrypoint.sh: exec format error",
      cause: "The image was built on an ARM laptop and the servers are x86.",
      cure: "buildx builds for both platforms, and CI refuses an image that lacks one.",
      detail: [
        "Why did nobody see the exit code?",
        "The process was PID 1 without an init; tini passes signals and codes on.",
      ],
      command: "docker buildx build --platform linux/amd64,linux/arm64 -t gateway:dev .",
      pr: 129,
    },
    wish: {
      ask: "No root user inside.",
      made: "It runs as uid 10001 with a read-only root; only the tmp folder may be written.",
    },
    slow: {
      ask: "Building takes nine minutes although only one line changed.",
      cause: "COPY . comes before the install, so nothing is cached.",
      cure: "Lock file first, install, then the rest; forty seconds.",
    },
    upgrade: {
      ask: "Base image from bullseye to bookworm.",
      broke: "openssl 1.1 is gone, prisma needs another engine.",
      cure: "binaryTargets names debian-openssl-3.0.x.",
    },
  },
  {
    name: "CI cache",
    does: "spares every build the download of the world",
    project: "storefront",
    files: [".github/workflows/test.yml", "scripts/ci/cache.test.sh", "scripts/ci/cache-key.sh"],
    names: ["restore_keys", "cacheKey", "setup_node"],
    bug: {
      symptom: "Main is green, the same commit on a branch is red, and rerunning helps sometimes.",
      error: "Error: Cannot find module '@rollup/rollup-linux-x64-gnu'",
      cause: "The key has no operating system in it, so a macOS runner's node_modules are restored on Linux.",
      cure: "The key holds runner.os, the node version and the hash of the lock file; partial keys are gone.",
      detail: [
        "Is it still faster than no cache at all?",
        "Yes: 41 seconds with a hit, 55 with a miss, 130 without any.",
      ],
      command: "gh run rerun 91822 --failed",
      pr: 641,
    },
    wish: {
      ask: "Keep the Playwright browsers, too.",
      made: "They have a cache of their own, keyed by the version in the lock file.",
    },
    slow: {
      ask: "Restoring the cache takes longer than npm ci.",
      cause: "It holds 2 GB of old build output.",
      cure: "Only the npm download folder is kept, 180 MB.",
    },
    upgrade: {
      ask: "actions/cache v2 stops working, use v4.",
      broke: "The old service answers 400 and the step is red.",
      cure: "v4 everywhere, save and restore as separate steps.",
    },
  },
  {
    name: "metrics dashboard",
    does: "shows whether we are all right",
    project: "ops",
    files: ["dashboards/overview.jsonnet", "test/dashboards_test.go", "rules/latency.yml"],
    names: ["histogram_quantile", "errorBudget", "http_requests_total"],
    bug: {
      symptom: "The panel claims that nobody waited longer than ten seconds, but customers did.",
      error: "query processing would load too many samples into memory in query execution",
      cause: "The highest bucket of the histogram is ten seconds; everything above it counts as ten.",
      cure: "Buckets go up to two minutes, and the panel shows the share above each threshold.",
      detail: [
        "Will the new buckets cost much?",
        "Four more series for each route, about three percent of what we keep.",
      ],
      command: "promtool check rules rules/latency.yml",
      pr: 93,
    },
    wish: {
      ask: "A page for the week's error budget.",
      made: "It burns from a hundred percent; below twenty it pages nobody but blocks risky deploys.",
    },
    slow: {
      ask: "The overview needs thirty seconds to draw.",
      cause: "Each panel computes its rates over thirty days.",
      cure: "Recording rules do it once a minute.",
    },
    upgrade: {
      ask: "Grafana 9 to 11.",
      broke: "Angular panels do not load.",
      cure: "Three panels rebuilt as time series; plugins removed.",
    },
  },
  {
    name: "memory leak",
    does: "eats the worker until it is killed",
    project: "gateway",
    files: ["src/worker/main.ts", "src/worker/main.test.ts", "src/worker/events.ts"],
    names: ["heapSnapshot", "removeListener", "MAX_OLD_SPACE"],
    bug: {
      symptom: "The worker grows by 40 MB an hour and is restarted by the kernel each night.",
      error: "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
      cause: "Every job adds a listener to the shared emitter and none is ever removed.",
      cure: "Listeners hang on an AbortSignal that ends with the job.",
      detail: [
        "How did you find it?",
        "Two heap snapshots an hour apart; the difference was nine thousand closures from events.ts.",
      ],
      command: "node --heapsnapshot-signal=SIGUSR2 dist/worker.js",
      pr: 274,
    },
    wish: {
      ask: "Restart gracefully before it gets critical.",
      made: "Above 80 % the worker takes no new jobs, finishes its own and leaves.",
    },
    slow: {
      ask: "Garbage collection pauses reach 300 ms.",
      cause: "A cache of parsed templates holds a million small objects.",
      cure: "Templates are kept as strings and parsed into a bounded cache.",
    },
    upgrade: {
      ask: "Node 18 to 24 for the worker.",
      broke: "url.parse warns and the old test runner flags are gone.",
      cure: "new URL, node --test with globs.",
    },
  },
  {
    name: "TLS certificate",
    does: "proves that we are who we say",
    project: "ops",
    files: ["terraform/certs.tf", "test/certs_test.go", "scripts/renew.sh"],
    names: ["acme_challenge", "notAfter", "cert_manager"],
    bug: {
      symptom: "The partners' site could not reach our API this morning, browsers were fine.",
      error: "x509: certificate signed by unknown authority",
      cause: "Only the leaf is served; browsers find the intermediate by themselves, Go programs do not.",
      cure: "The full chain is served, and a probe without any cache checks it every hour.",
      detail: [
        "Does it renew itself?",
        "Thirty days before the end, by DNS challenge; the probe alerts at twenty.",
      ],
      command: "openssl s_client -connect api.example.test:443 -showcerts </dev/null",
      pr: 58,
    },
    wish: {
      ask: "Certificates for the preview environments.",
      made: "One wildcard for all previews, renewed by the same script.",
    },
    slow: {
      ask: "Handshakes cost us 90 ms each.",
      cause: "RSA 4096 and no session resumption.",
      cure: "ECDSA P-256 and tickets; 15 ms.",
    },
    upgrade: {
      ask: "Terraform 0.13 to 1.9.",
      broke: "Provider addresses changed in the state file.",
      cure: "terraform state replace-provider, three times.",
    },
  },
  {
    name: "feature flags",
    does: "turn things on for some people only",
    project: "storefront",
    files: ["src/flags/evaluate.ts", "src/flags/evaluate.test.ts", "src/flags/rollout.ts"],
    names: ["isEnabled", "rolloutPercent", "flag_overrides"],
    bug: {
      symptom: "People see the new checkout on one page and the old one on the next.",
      error: "TypeError: Cannot read properties of undefined (reading 'rolloutPercent')",
      cause: "Guests have no id, so each request rolls the dice again.",
      cure: "The anonymous visitor's cookie is hashed together with the flag's name; the answer stays the same.",
      detail: [
        "Did that spoil the experiment?",
        "Yes, the numbers of the last two weeks cannot be used; it was started again on Monday.",
      ],
      command: "npm run flags -- explain new-checkout --visitor 8812",
      pr: 559,
    },
    wish: {
      ask: "Flags that nobody needs any more should be found.",
      made: "A flag that answered the same for sixty days is listed with the places that ask for it.",
    },
    slow: {
      ask: "Asking for flags adds 60 ms to each page.",
      cause: "The SDK fetches all rules at every request.",
      cure: "Rules are streamed and kept in memory; asking is a map lookup.",
    },
    upgrade: {
      ask: "Replace our home-grown flags by OpenFeature.",
      broke: "Evaluation is asynchronous.",
      cure: "All flags of a request are evaluated once, up front.",
    },
  },
];
