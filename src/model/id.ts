/** Session names: "claude-code:0b1c…" printed, parsed and matched by any unique start. */
import type { SourceId } from "./session.ts";

export interface SessionKey {
  readonly source: SourceId;
  readonly id: string;
}

export const formatKey = (key: SessionKey): string => `${key.source}:${key.id}`;

/** Enough of an id to type: eight characters, as every vendor's ids are random there. */
export const shortId = (id: string): string => (id.length > 8 ? id.slice(0, 8) : id);

/** How well a name fits a session; lower is better, undefined is no fit. */
export function matchName(
  name: string,
  session: SessionKey & { title: string },
  sources: readonly string[],
): number | undefined {
  const colon = name.indexOf(":");
  const prefix = colon > 0 ? name.slice(0, colon) : undefined;
  const qualified = prefix !== undefined && sources.includes(prefix);
  if (qualified && session.source !== prefix) return undefined;
  const wanted = (qualified ? name.slice(colon + 1) : name).toLowerCase();
  if (wanted === "") return undefined;
  const id = session.id.toLowerCase();
  const title = session.title.toLowerCase();
  if (id === wanted) return 0;
  if (title === wanted) return 1;
  if (id.startsWith(wanted)) return 2;
  if (title.startsWith(wanted)) return 3;
  if (wanted.length >= 3 && title.includes(wanted)) return 4;
  return undefined;
}
