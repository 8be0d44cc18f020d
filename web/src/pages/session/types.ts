/** What the session page shows, as the API answers it. */

import type { HubFacts } from "../../../../src/client/hub-types.ts";
import type { Part } from "../../../../src/model/session/turns.ts";
import type { api } from "../../lib/api.ts";

export type Outline = Awaited<ReturnType<typeof api.session>>;
export type OutlineTurn = Outline["turns"][number];
export type Session = Outline["session"] & Partial<HubFacts>;
type Answered = Awaited<ReturnType<typeof api.turns>>;
/** Parts as the model has them, which the functions of `present/` take. */
export type Turn = Omit<Answered["turns"][number], "parts"> & { readonly parts: readonly Part[] };
export interface TurnsPage {
  readonly preamble: readonly Part[];
  readonly turns: readonly Turn[];
}
export const toTurnsPage = (answer: Answered): TurnsPage => answer as unknown as TurnsPage;
export type { Part };
export type PartOf<K extends Part["kind"]> = Extract<Part, { kind: K }>;
