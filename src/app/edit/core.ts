/** Makes plans, applies them, and updates the store afterwards. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Improvements } from "../../chronicle/improve/improve.ts";
import { apply } from "../../edit/apply/apply.ts";
import { type Blocker, findBlockers, ignoreHolders } from "../../edit/apply/check.ts";
import { bytesOf } from "../../edit/apply/content.ts";
import { backupPathOf } from "../../edit/backups/backup-path.ts";
import { type Pruned, prune, pruneInPassing } from "../../edit/backups/prune.ts";
import type { Retention } from "../../edit/backups/retention.ts";
import { findKept, findUndoable } from "../../edit/undo/past-writes.ts";
import { planUndo } from "../../edit/undo/undo.ts";
import { AppError } from "../../model/errors.ts";
import { type EditPlan, isOfSettings, sessionsOf } from "../../model/plan.ts";
import { createOutgoingRedactor } from "../../model/redact/outgoing.ts";
import type { Artifact, SourceId } from "../../model/session/session.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import type { Clock } from "../../model/values/time.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import type { Progress } from "../../query/heads.ts";
import { type Found, type ReadTitles, titlesInFiles } from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Audit } from "../../store/state/audit.ts";
import { askJournal } from "../../store/state/journal.ts";
import { readLineage } from "../../store/state/lineage.ts";
import { openVault } from "../../store/vault/vault.ts";
import type { ImproveOf } from "../chronicle/improve.ts";
import type { ForkOf, RescueAllOf, RewindOf, Write } from "../edit-contract.ts";
import { planBackupCopy, writesSince } from "./backup-copy.ts";
import { type CloneOf, planClone } from "./clone.ts";
import { type CheckpointOf, type CompactOf, drawCheckpoint, drawCompaction } from "./compact.ts";
import { type HandoffOf, planHandoff } from "./handoff.ts";
import { createImporting, type ImportOf, type TakeFiles } from "./import.ts";
import { planImprove } from "./improve.ts";
import { planServer, type ServerOf } from "./mcp-server.ts";
import { type MoveOf, planMoves } from "./move.ts";
import { splitterFor, toTarget } from "./move-target.ts";
import { copyNamer, toName } from "./names.ts";
import { createPlanner, loadScale } from "./plan-session.ts";
import { planSeveral, planTogether, type SeveralParts } from "./plan-several.ts";
import { createWriteContext } from "./recover.ts";
import { notMovable, notRescuable, withoutFiles } from "./refusals.ts";
import { planRescueAll } from "./rescue.ts";
import { planRestore, type RestoreOf } from "./restore.ts";
import { findAgents, type WriterSurroundings } from "./summary-writer.ts";
import { previewRows, runFollowups, type VendorRows } from "./vendor-rows.ts";
import type { BackupReport, PastWrite } from "./write-history.ts";

/**
 * What surfaces have as `EditApp`, with plans handed in as they are: for the app itself and for tests. Surfaces name plans
 * by their fingerprint.
 */
export interface EditCore {
  planClone(name: string, request: CloneOf, progress?: Progress): Promise<EditPlan>;
  planFork(name: string, request: ForkOf, progress?: Progress): Promise<EditPlan>;
  planRewind(
    name: string,
    to: number | string,
    wish?: Omit<RewindOf, "to">,
    progress?: Progress,
  ): Promise<EditPlan>;
  planCompact(name: string, request: CompactOf, progress?: Progress): Promise<EditPlan>;
  planCheckpoint(name: string, request: CheckpointOf, progress?: Progress): Promise<EditPlan>;
  planRename(name: string, to: string, progress?: Progress): Promise<EditPlan>;
  planMove(request: MoveOf, progress?: Progress): Promise<EditPlan>;
  planDelete(names: string | readonly string[], progress?: Progress): Promise<EditPlan>;
  /** Secrets in sessions give way to marks; without steps where there are none. */
  planScrub(names: readonly string[], progress?: Progress): Promise<EditPlan>;
  planRescue(name: string, progress?: Progress): Promise<EditPlan>;
  planRescueAll(source: SourceId, request?: RescueAllOf, progress?: Progress): Promise<EditPlan>;
  planImport(file: string, request: ImportOf, progress?: Progress): Promise<EditPlan>;
  planHandoff(name: string, request: HandoffOf): Promise<EditPlan>;
  planRestore(request: RestoreOf): Promise<EditPlan>;
  /** Of files that are at hand until the plan is applied. */
  readonly planTake: TakeFiles;
  planImprove(request: ImproveOf): Promise<EditPlan>;
  planServer(request: ServerOf): Promise<EditPlan>;
  planUndo(operation?: string): Promise<EditPlan>;
  planBackupCopy(operation?: string, request?: { readonly to?: string }): Promise<EditPlan>;
  planTogether(plans: readonly EditPlan[]): Promise<EditPlan>;
  previewVendorRows(plan: EditPlan): Promise<readonly VendorRows[]>;
  ignoreLocks(plan: EditPlan): Promise<EditPlan>;
  blockers(paths: readonly string[]): Promise<Blocker[]>;
  /** `operation` names the write where its name has to be known before. */
  apply(plan: EditPlan, operation?: string): Promise<Write>;
  history(): Promise<PastWrite[]>;
  backups(): Promise<BackupReport>;
  confirm(name: string): Promise<string[]>;
  prune(): Promise<Pruned>;
  verify(request: { readonly repair: boolean }, progress?: Progress): Promise<Audit>;
  /** Lets go of what plans of imports are made from. */
  close(): void;
}

export interface EditOptions {
  readonly catalog: Catalog;
  /** Our own data folder. */
  readonly home: string;
  readonly now: Clock;
  /** Where relative paths start. */
  readonly folder: string;
  readonly find: (name: string) => Promise<Found>;
  /** Where the heads of all sessions are known already. */
  readonly titles?: ReadTitles;
  /** Brings the store up to date; sessions that were taken away are to be forgotten. */
  readonly refresh: (plan: EditPlan) => Promise<void>;
  /** Tells the hub of sessions that were deleted; without it nobody is told. */
  readonly deleted?: (sessions: readonly SessionKey[]) => Promise<void>;
  /** By which marks of secrets are made, so that those of all sessions are alike. */
  readonly markKey?: () => Uint8Array;
  /** What instruction files could be told; without it nothing can. */
  readonly improvements?: (request: ImproveOf) => Promise<Improvements>;
  readonly disk?: Disk;
  /** For commands of the user's own. */
  readonly vars?: WriterSurroundings["vars"];
  readonly userHome?: string;
  /** How this program is started again, and the variables that lead to its own data. */
  readonly program?: {
    readonly self: readonly string[];
    readonly isDemo: boolean;
    readonly vars: Readonly<Record<string, string>>;
  };
  /** How long backups stay; without it all of them do. */
  readonly retention?: Retention;
}

const FOR_GOOD: Retention = { days: 100_000, bytes: Number.POSITIVE_INFINITY };
export function createEditCore(options: EditOptions): EditCore {
  const { catalog, home, now, find, retention = FOR_GOOD } = options;
  const userHome = options.userHome === undefined ? {} : { userHome: options.userHome };
  const writeContext = createWriteContext(home, now, {
    sessions: catalog.fs,
    ...(options.disk && { disk: options.disk }),
  });
  const importing = createImporting({
    catalog,
    home,
    now,
    folder: options.folder,
    fs: catalog.fs,
    loadScale,
    ...userHome,
  });
  const planner = createPlanner(catalog, find);
  const around: WriterSurroundings = {
    ...{ vars: options.vars ?? {}, folder: options.folder },
    agents: () => findAgents(catalog),
  };
  /** How many copies of this kind were made of a session. */
  const copiesOf = (kind: "clone" | "fork", session: SessionKey): number =>
    readLineage(home, now).filter((row) => row.kind === kind && formatKey(row.parent) === formatKey(session))
      .length;

  /** Of sessions that people named, each once. */
  const planNamed = async (
    what: string,
    names: readonly string[],
    plan: SeveralParts["plan"],
    progress: Progress | undefined,
  ): Promise<EditPlan> => {
    const artifacts = new Map<string, Artifact>();
    for (const name of names) {
      const { artifact } = await find(name);
      artifacts.set(artifact.path, artifact);
    }
    const [only, ...others] = artifacts.values();
    if (!only) throw new AppError("usage", `${what} needs at least one session`, "Name a session");
    if (others.length === 0) return plan(only, progress ?? (() => undefined));
    const { plans, joined } = await planSeveral([only, ...others], { catalog, plan, progress });
    return { ...joined, named: plans.map(({ from, title }) => ({ ...from, title })) };
  };

  return {
    planClone: (name, request, progress) =>
      planClone(
        request,
        { now: now(), clonesOf: (session) => copiesOf("clone", session), ...around },
        (draw, counting) => planner.ofNamed("clone", name, progress, draw, counting),
      ),
    planFork: (name, request, progress) =>
      planner.ofNamed("fork", name, progress, (editor, fs, artifact) =>
        editor.fork(fs, artifact, {
          id: randomUUID(),
          recordId: randomUUID(),
          now: now(),
          copyName: copyNamer("fork", copiesOf("fork", artifact)),
          ...(request.name !== undefined && { name: toName(request.name) }),
          ...(request.at !== undefined && { at: request.at }),
        }),
      ),
    planRewind: (name, to, wish, progress) =>
      planner.ofNamed("rewind", name, progress, async (editor, fs, artifact) => {
        const draft = await editor.rewind(fs, artifact, {
          ...wish,
          ...userHome,
          to,
          now: now(),
          id: randomUUID(),
        });
        // Who knows of no files says nothing of them.
        if (wish?.files && !draft.files) throw withoutFiles(artifact, to);
        return draft;
      }),
    planCompact: (name, request, progress) =>
      planner.ofNamed("compact", name, progress, (editor, fs, artifact) =>
        drawCompaction({ editor, fs, artifact, now: now() }, request, around),
      ),
    planCheckpoint: (name, request, progress) =>
      planner.ofNamed("checkpoint", name, progress, (editor, fs, artifact) =>
        drawCheckpoint({ editor, fs, artifact, now: now() }, request, around),
      ),
    planRename: (name, to, progress) =>
      planner.ofNamed("rename", name, progress, (editor, fs, artifact) =>
        editor.rename(fs, artifact, { name: toName(to), now: now() }),
      ),
    planMove: (request, progress) =>
      planMoves(request, {
        catalog,
        folder: options.folder,
        now: now(),
        titles: options.titles ?? titlesInFiles(catalog),
        find,
        ...(progress && { progress }),
        plan: (artifact, move, each) =>
          planner.ofArtifact("move", artifact, each, async (editor, fs) => {
            if (!editor.moves) throw notMovable(artifact);
            const wish = {
              to: request.to ?? move.to,
              ...(request.editor !== undefined && { editor: request.editor }),
            };
            const around = { catalog, folder: options.folder };
            const target = await toTarget(fs, editor, artifact, wish, around);
            return editor.moves.move(fs, artifact, { ...move, ...target });
          }),
      }),
    async planDelete(names, progress) {
      const plan: SeveralParts["plan"] = (artifact, tell) =>
        planner.ofArtifact("delete", artifact, tell, (editor, fs) =>
          editor.remove(fs, artifact, { now: now() }),
        );
      return planNamed("delete", [names].flat(), plan, progress);
    },
    async planScrub(names, progress) {
      const { drawScrub } = await import("./scrub.ts");
      const key = options.markKey?.() ?? randomBytes(32);
      const { text } = createOutgoingRedactor({ key });
      const plan: SeveralParts["plan"] = async (artifact, tell) => {
        const made = await planner.ofArtifact("scrub", artifact, tell, (editor, fs) =>
          drawScrub({ catalog, editor, fs, artifact, now: now(), key }),
        );
        // The title is shown, and kept in the history.
        return { ...made, title: text(made.title) };
      };
      return planNamed("scrub", names, plan, progress);
    },
    planRescueAll: (source, { adopt = true } = {}, progress = () => undefined) =>
      planRescueAll(catalog, source, { now: now(), home, adopt }, progress),
    planRescue: (name, progress) =>
      planner.ofNamed("rescue", name, progress, (editor, fs, artifact) => {
        if (!editor.repairs) throw notRescuable(artifact);
        return editor.repairs.session(fs, artifact, { now: now() });
      }),
    planImport: (file, { name, ...request }, progress) =>
      importing.plan(file, { ...request, ...(name !== undefined && { name: toName(name) }) }, progress),
    planHandoff: async (name, request) => {
      const made = await planHandoff(name, request, {
        catalog,
        now: now(),
        folder: options.folder,
        find,
        loadScale,
        planSmaller: (on, artifact, { at, budget }) => {
          const smaller = createPlanner(on, find);
          if (budget !== undefined)
            return planClone(
              { budget, unlisted: true },
              { now: now(), clonesOf: () => 0, ...around },
              (draw) => smaller.ofArtifact("clone", artifact, undefined, draw),
            );
          return smaller.ofArtifact("fork", artifact, undefined, (editor, fs) =>
            editor.fork(fs, artifact, {
              id: randomUUID(),
              recordId: randomUUID(),
              now: now(),
              unlisted: true,
              ...(at !== undefined && { at }),
            }),
          );
        },
      });
      return importing.putAside(made);
    },
    planRestore: async (request) =>
      importing.putAside(await planRestore(request, { catalog, now: now(), loadScale })),
    async planImprove(request) {
      const { changes = [], notes = [] } = (await options.improvements?.(request)) ?? {};
      return { ...(await planImprove(catalog.fs, changes, now())), losses: notes };
    },
    planTake: importing.take,
    close: () => importing.close(),
    planServer: (request) =>
      planServer(request, { catalog, now: now(), folder: options.folder, ...options.program }),
    async planUndo(operation) {
      const { entry, backup } = askJournal(home, now, (journal) => {
        const entry = findUndoable(journal?.entries() ?? [], operation);
        return { entry, backup: journal?.backupOf(entry.operation) ?? [] };
      });
      const changed = isOfSettings(entry.plan) ? [] : sessionsOf(entry.plan);
      // What an undo placed again is made of blocks in the vault.
      const sources = { fs: catalog.fs, vault: openVault(home) };
      const split = await splitterFor(catalog, changed, ({ pieces = [] }) => bytesOf(pieces, sources));
      return planUndo(catalog.fs, entry, backup, now(), split);
    },
    ignoreLocks: (edit) => ignoreHolders(catalog, edit),
    blockers: (paths) => findBlockers(catalog, paths),
    async planBackupCopy(operation, { to } = {}) {
      const { writes, vault } = askJournal(home, now, (journal) => {
        const entries = journal?.entries() ?? [];
        const entry = findKept(entries, operation);
        return { writes: journal ? writesSince(journal, entry) : [], vault: openVault(home) };
      });
      const { take, newScratch } = importing;
      return planBackupCopy(writes, {
        catalog,
        fs: catalog.fs,
        vault,
        take,
        newScratch,
        ...(to !== undefined && { to }),
      });
    },
    planTogether: (plans) => planTogether(catalog, plans),
    previewVendorRows: (edit) => previewRows(catalog, edit, home, now),
    async apply(edit, operation = randomUUID().slice(0, 8)) {
      await apply(writeContext, catalog, operation, edit);
      const { attempt, notices } = onceDone();
      const ownRows = await attempt(
        "Done, but the rows in the agent's own database could not be updated",
        () => runFollowups(catalog, home, now, "writer"),
      );
      await attempt("Done, but rethread's store could not be updated; the next command tries again", () =>
        options.refresh(edit),
      );
      if (edit.kind === "delete")
        await attempt("Done here, but the hub could not be told; the next sync tells it", () =>
          options.deleted?.(sessionsOf(edit)),
        );
      await attempt("Done, but backups that are no longer needed could not be removed", () =>
        pruneInPassing(writeContext, retention),
      );
      const backupPath = backupPathOf(home, edit);
      return {
        operation,
        plan: edit,
        ownRows: ownRows ?? [],
        notices,
        ...(backupPath !== undefined && { backupPath }),
      };
    },
    history: async () => (await import("./write-history.ts")).readHistory(writeContext, retention),
    backups: async () => (await import("./write-history.ts")).reportBackups(writeContext, retention),
    confirm: async (name) => (await import("./write-history.ts")).confirmWrites(writeContext, name),
    prune: async () => prune(writeContext, retention),
    verify: async (request, progress) =>
      (await import("./backup-check.ts")).verifyBackups(writeContext, request, progress),
  };
}

interface OnceDone {
  /** Does something that the write does not depend on; `otherwise` is the sentence to begin with when it fails. */
  attempt<T>(otherwise: string, work: () => Promise<T> | T): Promise<T | undefined>;
  /** What could not be done, a sentence each. */
  readonly notices: readonly string[];
}

function onceDone(): OnceDone {
  const notices: string[] = [];
  return {
    notices,
    async attempt(otherwise, work) {
      try {
        return await work();
      } catch (error) {
        notices.push(`${otherwise}: ${reasonOf(error)}`);
        return undefined;
      }
    },
  };
}
