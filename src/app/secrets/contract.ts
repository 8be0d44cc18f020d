/** The types of calls about secrets in local sessions. */
import type { SessionKey } from "../../model/values/id.ts";
import type { Call } from "../call.ts";
import type { WorkPlace } from "../filters.ts";

export interface SecretFinding {
  readonly session: SessionKey & { readonly title: string };
  /** Missing for what is in no turn: a title, a plan, a file beside the log. */
  readonly turn?: number;
  /** The file that it is in, where it is in no turn. */
  readonly path?: string;
  readonly kind: string;
  /** How many different ones there are. */
  readonly count: number;
}

export interface SecretScan {
  /** How many sessions were looked through. */
  readonly scanned: number;
  readonly findings: readonly SecretFinding[];
  /** What could not be looked through. */
  readonly leftOut: readonly { readonly session: SessionKey; readonly path: string; readonly why: string }[];
}

export interface SecretsApp {
  /** Nothing is changed, and no secret is in the answer. */
  scan(
    request?: WorkPlace & { /** By names that `show` takes. */ readonly sessions?: readonly string[] },
    call?: Call,
  ): Promise<SecretScan>;
}
