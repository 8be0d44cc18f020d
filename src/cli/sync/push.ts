/** `rethread sync`: sends what may leave, once or until it is stopped, or shows what that would be. */
import { syncPreview, syncPush, syncStatus, syncWatch } from "../../operations/hub/sync.ts";
import { type Interrupt, interruptible } from "../interrupt.ts";
import { type Output, SCHEMA_VERSION } from "../output.ts";
import { printDryRun, printSyncReport, printSyncStatus } from "../print/answers/sync.ts";
import { pushFilter, type SyncAct } from "./called.ts";
import { askConsent } from "./consent.ts";

/** So often a line says how far it is, where no bar can. */
const TOLD_EVERY = 20;

export const push: SyncAct = async (called) => {
  const { args, out, openApp, config } = called;
  const app = await openApp();
  const filter = pushFilter(called);
  if (args.dryRun) {
    const run = await out.progress("Reading sessions", (call) => syncPreview.run(app, filter, call));
    if (args.json) out.json(syncPreview.toJson(run, app));
    else for (const line of printDryRun(run, out)) out.line(line);
    return run.problems.length > 0 ? 1 : 0;
  }
  const consent = await askConsent(called, app);
  if (consent === "refused") return 1;
  return interruptible(async (interrupt) => {
    const report = await sending(out, config.terminal.stderr, interrupt, (call) =>
      syncPush.run(app, { ...filter, ...(consent === "given" && { consents: true }) }, call),
    );
    if (args.json) out.json(syncPush.toJson(report, app));
    else
      for (const line of printSyncReport(report, {
        style: out.style,
        columns: out.columns,
        isDemo: app.demo !== undefined,
      }))
        out.line(line);
    if (report.outcome === "interrupted") return interrupt.code ?? 130;
    return report.outcome === "clean" ? 0 : 1;
  });
};

/** With a bar at a terminal, and a line now and then elsewhere. */
function sending<T>(
  out: Output,
  isTerminal: boolean,
  { signal }: Interrupt,
  work: (call: Parameters<typeof syncPush.run>[2] & object) => Promise<T>,
): Promise<T> {
  return out.progress("Sending", (call) =>
    work({
      ...call,
      signal,
      ...(!isTerminal && {
        onProgress({ done, total }) {
          if (done % TOLD_EVERY === 0 || (done === total && total > TOLD_EVERY))
            out.note(`${done} of ${total} sessions`);
        },
      }),
    }),
  );
}

export const watch: SyncAct = async (called) => {
  const { args, out, openApp } = called;
  const app = await openApp();
  const filter = pushFilter(called);
  const consent = await askConsent(called, app);
  if (consent === "refused") return 1;
  const tell = (report: Awaited<ReturnType<typeof syncPush.run>>): void => {
    if (args.json) out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...syncPush.toJson(report, app) });
    else
      for (const line of printSyncReport(report, {
        style: out.style,
        columns: out.columns,
        isDemo: app.demo !== undefined,
      }))
        out.line(line);
  };
  return interruptible(async ({ signal }) => {
    if (consent === "given") tell(await syncPush.run(app, { ...filter, consents: true }, { signal }));
    if (!args.json) out.note("Watching for changes. Press Ctrl-C to stop.");
    await syncWatch.run(app, filter, tell, { signal, onNotice: (sentence) => out.note(sentence) });
    return 0;
  });
};

export const status: SyncAct = async ({ args, out, openApp }) => {
  const app = await openApp();
  const found = await syncStatus.run(app, {});
  if (args.json) out.json(syncStatus.toJson(found, app));
  else
    for (const line of printSyncStatus(found, {
      style: out.style,
      columns: out.columns,
      isDemo: app.demo !== undefined,
    }))
      out.line(line);
  return 0;
};
