/** What a hub counts while it runs, and what it looks up when it is asked for its metrics. */
import type { HubSystem, QueueState } from "../../app/hub/system.ts";
import type { Answered } from "../router.ts";
import { createCounter, createHistogram, expose, type Family, gauge } from "./prometheus.ts";

export interface HubMeter {
  seen(answered: Answered): void;
  pushed(push: { readonly created: boolean; readonly events: number; readonly bytes: number }): void;
  /** What the worker could not do. */
  failed(): void;
  text(): Promise<string>;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Several scrapers at once ask the database once. */
const QUEUE_MS = 2000;
const QUEUE_STATES = ["waiting", "active", "failed"] as const;

export function createHubMeter(system: Pick<HubSystem, "queue" | "pools">, version: string): HubMeter {
  const startedAt = Date.now() / 1000;
  const requests = createCounter("rethread_hub_requests_total", "Requests, by route and status.");
  const seconds = createHistogram(
    "rethread_hub_request_duration_seconds",
    "Time until an answer began, by route.",
    SECONDS,
  );
  const pushes = createCounter("rethread_hub_pushes_total", "Pushes that were stored.");
  const events = createCounter("rethread_hub_events_received_total", "Records that were new.");
  const bytes = createCounter("rethread_hub_bytes_received_total", "Bytes of pushes, as they were sent.");
  const failures = createCounter(
    "rethread_hub_backfill_errors_total",
    "Errors of the worker that makes rows.",
  );
  for (const each of [pushes, events, bytes, failures]) each.add({}, 0);
  let asked: { readonly at: number; readonly state: Promise<QueueState | undefined> } | undefined;
  const queue = (): Promise<QueueState | undefined> => {
    const now = performance.now();
    if (!asked || now - asked.at > QUEUE_MS)
      asked = { at: now, state: system.queue().catch(() => undefined) };
    return asked.state;
  };
  return {
    seen({ method, route = "other", status, startedAt: began }) {
      requests.add({ method: METHODS.has(method) ? method : "other", route, status: String(status) });
      seconds.observe({ route }, (performance.now() - began) / 1000);
    },
    pushed({ events: more, bytes: size }) {
      pushes.add();
      events.add({}, more);
      bytes.add({}, size);
    },
    failed: () => failures.add(),
    async text() {
      const state = await queue();
      return expose([
        gauge("rethread_hub_info", "The version that runs.", [{ labels: { version }, value: 1 }]),
        requests.family(),
        seconds.family(),
        pushes.family(),
        events.family(),
        bytes.family(),
        failures.family(),
        gauge("rethread_hub_database_up", "Whether the database answers.", state ? 1 : 0),
        ...(state ? queueFamilies(state) : []),
        ...poolFamilies(system),
        gauge("process_resident_memory_bytes", "Memory of the server.", process.memoryUsage.rss()),
        gauge("process_start_time_seconds", "When the server started, since 1970.", startedAt),
      ]);
    },
  };
}

/** Whatever else people send is no label of its own. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const queueFamilies = (state: QueueState): Family[] => [
  gauge(
    "rethread_hub_backfill_jobs",
    "Sessions whose rows are to be made, by state.",
    QUEUE_STATES.map((name) => ({ labels: { state: name }, value: state[name] })),
  ),
  gauge(
    "rethread_hub_backfill_oldest_seconds",
    "How long the oldest of those that wait or run has been there.",
    state.oldestSeconds,
  ),
];

const poolFamilies = ({ pools }: Pick<HubSystem, "pools">): Family[] => {
  const all = pools();
  return [
    gauge(
      "rethread_hub_pool_connections",
      "Connections to the database, by role and state.",
      all.flatMap(({ role, open, idle }) => [
        { labels: { role, state: "idle" }, value: idle },
        { labels: { role, state: "busy" }, value: open - idle },
      ]),
    ),
    gauge(
      "rethread_hub_pool_waiting",
      "Requests that wait for a connection, by role.",
      all.map(({ role, waiting }) => ({ labels: { role }, value: waiting })),
    ),
  ];
};
