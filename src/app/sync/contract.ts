/** The types of calls about a hub: what may leave, sending it, and bringing it back. */
import type { Deletion, HubMe, HubShare } from "../../hub/sync/hub-client.ts";
import type { PushTotals, SyncProblem } from "../../hub/sync/push.ts";
import type { HeldBack } from "../../hub/sync/rules.ts";
import type { LeftOut } from "../../hub/sync/session-files.ts";
import type { OutgoingRedaction } from "../../model/redact/outgoing.ts";
import type { SessionKey } from "../../model/values/id.ts";
import type { PrivateSession, SyncRule } from "../../store/state/sync.ts";
import type { Call } from "../call.ts";

export type { Deletion, HubMe } from "../../hub/sync/hub-client.ts";
export type { SyncProblem } from "../../hub/sync/push.ts";
export type { HeldBack } from "../../hub/sync/rules.ts";
export type { PrivateSession, SyncRule } from "../../store/state/sync.ts";

export interface HubIdentity extends HubMe {
  readonly url: string;
  /** Where the address and token come from. */
  readonly from: "file" | "variable";
  readonly machine: { readonly id: string; readonly name: string };
}

/** What must hold before anything leaves. */
export interface Gate {
  readonly gate: "store" | "indexing" | "repositories" | "cloud";
  readonly isOpen: boolean;
  /** One sentence. */
  readonly says: string;
  /** The next step, where it is closed. */
  readonly hint?: string;
}

/** Sessions of one repository, or without any. */
export interface RepositoryShare {
  readonly repository?: string;
  readonly sessions: number;
  readonly bytes: number;
  readonly sends: "plain" | "sealed" | "nothing";
  /** Where nothing is sent. */
  readonly why?: HeldBack;
}

export interface SyncStatus {
  readonly hub?: string;
  readonly machine: { readonly id: string; readonly name: string };
  readonly gates: readonly Gate[];
  readonly repositories: readonly RepositoryShare[];
  readonly rules: readonly SyncRule[];
  readonly privates: readonly PrivateSession[];
  /** How many sessions the hub has acknowledged, and of how many it is to be told that they are gone. */
  readonly pushed: number;
  readonly toDelete: number;
  /** Sessions that may leave, and that the hub does not have as they are. */
  readonly waiting: number;
  /** What sessions are sealed for, once this machine has a key. */
  readonly recipient?: string;
  /** What leaves of a session, and what never does. */
  readonly sends: readonly string[];
  readonly leavesOut: readonly string[];
}

export interface PushFilter {
  /** By names that `show` takes. */
  readonly sessions?: readonly string[];
  readonly repository?: string;
  readonly since?: Date;
}

export interface PushRequest extends PushFilter {
  /** The person has seen what will be sent, and agrees; where no rule lets anything leave, the repositories of these sessions are allowed. */
  readonly consents?: boolean;
  /** The hub is not asked whether it still has what it acknowledged: it was asked not long ago. */
  readonly trustsRecords?: boolean;
}

export interface SyncReport extends Omit<PushTotals, "isInterrupted" | "leftOut"> {
  readonly outcome: "clean" | "partial" | "interrupted";
  readonly hub: string;
  /** The repositories that the consent of this push allowed, for later pushes, too. */
  readonly allowed: readonly string[];
  readonly unchanged: number;
  /** Sessions of which the hub was told that they are gone. */
  readonly vanished: number;
  /** Sessions that were deleted from the hub, as it was asked for before. */
  readonly deleted: number;
  /** Sessions that were deleted from the hub on another machine, and stay here from now on. */
  readonly takenBack: number;
  /** Sessions that stay here, those included. */
  readonly heldBack: number;
  readonly leftOut: PushTotals["leftOut"];
}

export interface Preview extends SessionKey {
  readonly title: string;
  readonly repository?: string;
  readonly isSealed: boolean;
  /** Redacted bytes that would be sent, before compression; and how many of the session's files they are from. */
  readonly bytes: number;
  readonly files: number;
  readonly redacted: readonly OutgoingRedaction[];
  readonly leftOut: readonly LeftOut[];
}

export interface DryRun {
  readonly hub?: string;
  readonly sessions: readonly Preview[];
  readonly unchanged: number;
  readonly heldBack: number;
  readonly redacted: readonly OutgoingRedaction[];
  readonly problems: readonly SyncProblem[];
}

export interface PullRequest {
  /** Their ids, or the hub's names for them; all of other machines without any. */
  readonly sessions?: readonly string[];
  /** The folder that they are about here. */
  readonly to?: string;
  readonly dryRun?: boolean;
}

export interface PulledSession {
  /** The hub's name for it. */
  readonly hubSession: string;
  readonly title: string;
  readonly machine: string;
  readonly source: string;
  readonly outcome: "pulled" | "unchanged" | "left-out" | "planned";
  /** What it became here. */
  readonly id?: string;
  /** Its id is taken here by another state of it. */
  readonly isCopy?: boolean;
  /** It was here as it was pulled before, and goes on in its place. */
  readonly isUpdate?: boolean;
  readonly folder?: string;
  /** Names the write, for undo. */
  readonly operation?: string;
  readonly resume?: string;
  /** Why it was left out. */
  readonly problem?: SyncProblem;
}

export interface PullReport {
  readonly hub: string;
  readonly outcome: "clean" | "partial";
  readonly sessions: readonly PulledSession[];
}

export interface HubDeletion extends Deletion {
  readonly hub: string;
  readonly hubSession: string;
  readonly title: string;
}

export interface ShareRequest {
  /** owner/name, or an address; without any of these what is shared is told. */
  readonly repositories?: readonly string[];
  /** As here, or by the hub's names for them. */
  readonly sessions?: readonly string[];
  /** Without it the one that the person is in. */
  readonly team?: string;
  readonly dryRun?: boolean;
  /** It is taken back. */
  readonly isOver?: boolean;
}

export interface ShareChange extends Omit<HubShare, "id" | "sharedAt"> {
  /** Of a session; nothing where it is sealed and not here. */
  readonly title: string;
  readonly id?: string;
  readonly sharedAt?: string;
  /** A session that only its owner's machines can read. */
  readonly isSealed?: boolean;
  /** The repository by whose share the team still sees the session. */
  readonly stillBy?: string;
  readonly outcome: "shared" | "unshared" | "planned" | "unchanged";
  /** How many sessions others see now, or no longer do. */
  readonly changed?: number;
}

export interface ShareReport {
  readonly hub: string;
  readonly shares: readonly ShareChange[];
}

export interface SyncApp {
  login(
    request: {
      readonly url: string;
      readonly token: string;
      readonly isInsecure?: boolean;
      /** This data folder is a copy of another machine's, which keeps its id. */
      readonly isNewMachine?: boolean;
    },
    call?: Call,
  ): Promise<HubIdentity>;
  logout(call?: Call): Promise<{ readonly wasLoggedIn: boolean }>;
  whoami(call?: Call): Promise<HubIdentity>;
  /** The identity that seals sessions: made, shown, or brought from another machine. */
  key(request: KeyRequest, call?: Call): Promise<KeyReport>;
  /** Of all repositories, or of those that have such sessions. */
  status(call?: Call, filter?: PushFilter): Promise<SyncStatus>;
  /** Allows, denies or seals repositories and folders, or takes such rules back. */
  setRules(request: RulesRequest, call?: Call): Promise<readonly SyncRule[]>;
  /** Keeps sessions here, or lets them leave sealed; `off` takes that back. */
  setPrivate(
    request: { readonly sessions: readonly string[]; readonly mode: PrivateSession["mode"] | "off" },
    call?: Call,
  ): Promise<readonly PrivateSession[]>;
  push(request?: PushRequest, call?: Call): Promise<SyncReport>;
  /** What would leave, and what was redacted; nothing is sent, and nobody is asked. */
  preview(request?: PushFilter, call?: Call): Promise<DryRun>;
  /** Pushes what changes, until it is stopped; reports every push that sent something. */
  watch(request: PushFilter & { readonly onPush: (report: SyncReport) => void }, call?: Call): Promise<void>;
  pull(request?: PullRequest, call?: Call): Promise<PullReport>;
  /** Removes sessions from the hub for good; they are not sent again. A dry run only says which ones. */
  delete(
    request: { readonly sessions: readonly string[]; readonly dryRun?: boolean },
    call?: Call,
  ): Promise<readonly HubDeletion[]>;
  /** Shows repositories or sessions on the hub to a team, or takes that back; tells what is shared where none is named. */
  share(request?: ShareRequest, call?: Call): Promise<ShareReport>;
  /** Asks the hub, with the shapes of our own answers. */
  ask(path: string, body?: object, call?: Call): Promise<HubAnswer>;
}

export interface KeyRequest {
  readonly action: "new" | "show" | "import";
  readonly identity?: string;
}

export interface KeyReport {
  readonly path: string;
  /** What others may know; sessions are sealed for it. */
  readonly recipient: string;
  /** Only when it was asked for. */
  readonly identity?: string;
}

export interface RulesRequest {
  readonly effect: SyncRule["effect"] | "off";
  readonly repositories?: readonly string[];
  readonly folders?: readonly string[];
}

export interface HubAnswer {
  readonly from: "hub";
  readonly hub: string;
  readonly answer: Readonly<Record<string, unknown>>;
}
