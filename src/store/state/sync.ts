/** Records of syncing in state.db: this machine's name, what may leave it, and what a hub has acknowledged. */
import { randomBytes, randomUUID } from "node:crypto";
import type { SessionKey } from "../../model/values/id.ts";
import { type Database, transaction } from "../../platform/sqlite/sqlite.ts";
import { guarded, openState } from "./open.ts";

export interface SyncMachine {
  readonly id: string;
  readonly name: string;
  /** 32 random bytes, from which the marks of secrets are made. */
  readonly key: Uint8Array;
}

export interface SyncRule {
  readonly kind: "repository" | "folder";
  /** A name or path, in which `*` stands for anything within a part and `**` for anything. */
  readonly pattern: string;
  readonly effect: "allow" | "deny" | "sealed";
}

export interface PrivateSession extends SessionKey {
  /** It never leaves, or only so that the hub cannot read it. */
  readonly mode: "never" | "sealed";
}

/** What a hub has of a session, as it acknowledged it. */
export interface PushedRecord extends SessionKey {
  readonly mark: string;
  readonly files: readonly PushedFileRecord[];
  readonly sealed?: readonly SealedRecord[];
  readonly isVanished: boolean;
  /** It is to be deleted from the hub. */
  readonly isUnwanted: boolean;
}

export interface PushedFileRecord {
  readonly path: string;
  readonly generation: number;
  readonly size: number;
  readonly sha256: string;
}

/** A sealed file on the hub, and the part of a session's file that it holds. */
export interface SealedRecord {
  readonly stored: string;
  readonly path: string;
  /** Of the plain file, up to the end of this part. */
  readonly size: number;
  readonly sha256: string;
}

export interface PulledRecord extends SessionKey {
  readonly hubSession: string;
  readonly remoteMark: string;
  readonly localMark: string;
}

export interface SyncRecords {
  /** Made when it is first asked for. */
  machine(name: string): SyncMachine;
  /** Another one than the machine that this data folder was copied from: what that has pushed is not ours. */
  renewMachine(name: string): void;
  consentedAt(hub: string): string | undefined;
  consent(hub: string): void;
  rules(): readonly SyncRule[];
  /** A rule for the same pattern is replaced. */
  setRules(rules: readonly SyncRule[]): void;
  /** How many there were. */
  removeRules(rules: readonly Pick<SyncRule, "kind" | "pattern">[]): number;
  privates(): readonly PrivateSession[];
  setPrivate(session: SessionKey, mode: PrivateSession["mode"] | undefined): void;
  pushed(hub: string): readonly PushedRecord[];
  notePushed(hub: string, record: PushedRecord): void;
  /** To be deleted from every hub that has it; gives back how many have. */
  noteUnwanted(session: SessionKey): number;
  forgetPushed(hub: string, session: SessionKey): void;
  pulled(hub: string): readonly PulledRecord[];
  notePulled(hub: string, record: PulledRecord): void;
  close(): void;
}

const KEY_BYTES = 32;

/** What follows the address is an account, of which there is one everywhere: a hub that moved is the same one. */
const SAME_HUB = "substr(hub, instr(hub, '#')) = substr(?1, instr(?1, '#'))";

export function openSyncRecords(folder: string, now: () => Date): SyncRecords {
  const db = openState(folder, now);
  const time = (): string => now().toISOString();
  const ask = <T>(work: () => T): T => guarded(folder, work);
  const run = (sql: string, ...values: (string | number | null)[]): number =>
    ask(() => Number(db.prepare(sql).run(...values).changes));
  const forgetPushed: SyncRecords["forgetPushed"] = (hub, { source, id }) =>
    void run(`DELETE FROM sync_pushed WHERE ${SAME_HUB} AND source = ?2 AND session = ?3`, hub, source, id);
  return {
    machine: (name) => ask(() => transaction(db, () => machineOf(db, name))),
    renewMachine: (name) =>
      ask(() =>
        transaction(db, () => {
          machineOf(db, name);
          db.prepare("UPDATE sync_machine SET id = ?, name = ?").run(randomUUID(), name);
          db.exec("DELETE FROM sync_pushed");
        }),
      ),
    consentedAt(hub) {
      const row = ask(() => db.prepare("SELECT agreed_at FROM sync_consents WHERE hub = ?").get(hub));
      return row && String(row.agreed_at);
    },
    consent: (hub) => void run("INSERT OR REPLACE INTO sync_consents VALUES (?, ?)", hub, time()),
    rules: () =>
      ask(() =>
        db.prepare("SELECT kind, pattern, effect FROM sync_rules ORDER BY kind DESC, pattern").all(),
      ) as unknown as SyncRule[],
    setRules: (rules) =>
      ask(() =>
        transaction(db, () => {
          const insert = db.prepare("INSERT OR REPLACE INTO sync_rules VALUES (?, ?, ?, ?)");
          for (const { kind, pattern, effect } of rules) insert.run(kind, pattern, effect, time());
        }),
      ),
    removeRules: (rules) =>
      rules.reduce(
        (sum, { kind, pattern }) =>
          sum + run("DELETE FROM sync_rules WHERE kind = ? AND pattern = ?", kind, pattern),
        0,
      ),
    privates: () =>
      ask(() =>
        db.prepare("SELECT source, session AS id, mode FROM sync_private ORDER BY source, session").all(),
      ) as unknown as PrivateSession[],
    setPrivate({ source, id }, mode) {
      if (mode === undefined) run("DELETE FROM sync_private WHERE source = ? AND session = ?", source, id);
      else run("INSERT OR REPLACE INTO sync_private VALUES (?, ?, ?, ?)", source, id, mode, time());
    },
    pushed: (hub) =>
      ask(() => db.prepare(`SELECT * FROM sync_pushed WHERE ${SAME_HUB}`).all(hub).map(toPushed)),
    notePushed(hub, { source, id, mark, files, sealed, isVanished, isUnwanted }) {
      forgetPushed(hub, { source, id });
      run(
        "INSERT OR REPLACE INTO sync_pushed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ...[hub, source, id, mark, JSON.stringify(files), sealed ? JSON.stringify(sealed) : null],
        ...[Number(isVanished), Number(isUnwanted), time()],
      );
    },
    noteUnwanted: ({ source, id }) =>
      run("UPDATE sync_pushed SET unwanted = 1 WHERE source = ? AND session = ?", source, id),
    forgetPushed,
    pulled: (hub) =>
      ask(() => db.prepare(`SELECT * FROM sync_pulled WHERE ${SAME_HUB}`).all(hub).map(toPulled)),
    notePulled(hub, { hubSession, source, id, remoteMark, localMark }) {
      run(`DELETE FROM sync_pulled WHERE ${SAME_HUB} AND hub_session = ?2`, hub, hubSession);
      run(
        "INSERT OR REPLACE INTO sync_pulled VALUES (?, ?, ?, ?, ?, ?, ?)",
        ...[hub, hubSession, source, id, remoteMark, localMark, time()],
      );
    },
    close: () => db.close(),
  };
}

function machineOf(db: Database, name: string): SyncMachine {
  const known = db.prepare("SELECT id, name, key FROM sync_machine").get();
  if (known)
    return { id: String(known.id), name: String(known.name), key: new Uint8Array(known.key as Uint8Array) };
  const made = { id: randomUUID(), name, key: new Uint8Array(randomBytes(KEY_BYTES)) };
  db.prepare("INSERT INTO sync_machine VALUES (1, ?, ?, ?)").run(made.id, made.name, made.key);
  return made;
}

const toPushed = (row: Record<string, unknown>): PushedRecord => ({
  source: String(row.source),
  id: String(row.session),
  mark: String(row.mark),
  files: JSON.parse(String(row.files)) as PushedFileRecord[],
  ...(row.sealed !== null && { sealed: JSON.parse(String(row.sealed)) as SealedRecord[] }),
  isVanished: row.vanished === 1,
  isUnwanted: row.unwanted === 1,
});

const toPulled = (row: Record<string, unknown>): PulledRecord => ({
  hubSession: String(row.hub_session),
  source: String(row.source),
  id: String(row.session),
  remoteMark: String(row.remote_mark),
  localMark: String(row.local_mark),
});
