/** What an application has of the sessions that it keeps on a hub; opening them loads the client of PostgreSQL. */
import type { AppError } from "../../model/errors.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { CopilotSessionFsProvider } from "./copilot-provider.ts";
import type { RpcHandler } from "./copilot-rpc.ts";

export interface HubSessionsOptions {
  /** `postgres://rethread_app:<password>@<host>:<port>/<database>` */
  readonly url: string;
  /** Of an account on the hub, with the scope `push`. */
  readonly token: string;
  /** The name of this program, for those who find a session taken. */
  readonly holder?: string;
  /** How long a lease lasts when this process is no longer there to renew it; 30 seconds unless told. */
  readonly leaseMs?: number;
  /** Called once another program has taken over a session. */
  readonly onLost?: (session: string, error: AppError) => void;
}

export interface HubSessions {
  /** The account that they belong to. */
  readonly name: string;
  /** Whose sessions they are: the program that an application starts on them. */
  readonly source: "copilot-cli";
  /** The folder of `fs` that looks like the home of Copilot CLI. */
  readonly home: string;
  /** All sessions of the account, for reading. */
  readonly fs: SessionFs;
  /** For `createSessionFsProvider`. The first write takes the lease of the session. */
  provider(session: { readonly sessionId: string }): CopilotSessionFsProvider;
  /** The same by the names of JSON-RPC methods. */
  readonly handlers: Readonly<Record<string, RpcHandler>>;
  /** Takes the lease now: rejects with `session-busy` while another has it, or takes it over with `steal`. */
  take(session: string, how?: { readonly steal?: boolean }): Promise<void>;
  /** Lets another program take it at once. */
  release(session: string): Promise<void>;
  /** Releases all leases, and the connections. */
  close(): Promise<void>;
}

export async function openHubSessions(options: HubSessionsOptions): Promise<HubSessions> {
  const { createHubSessions } = await import("./hub-sessions.ts");
  return createHubSessions(options);
}
