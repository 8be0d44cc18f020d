/** Why a change cannot be made, before its dialog is opened: the source does not take it, its files are gone, or the server only reads. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Answer } from "../../../src/client/types.ts";
import { api, keys } from "../lib/api.ts";
import { toast } from "../ui/toast.ts";
import type { ChangeKind } from "./change.ts";

/** What of a session decides whether it can be changed. */
export interface Changeable {
  readonly source: string;
  readonly vanishedAt?: string | null;
}

export type Refuse = (kind: ChangeKind, sessions: readonly Changeable[]) => string | undefined;

interface Known {
  readonly sources: Answer<"sources">["sources"];
  readonly isReadOnly: boolean;
}

export const READ_ONLY = "The server was started read-only";

/** A sentence without a full stop; nothing for what can be tried. */
export function refusalOf(
  kind: ChangeKind,
  sessions: readonly Changeable[],
  { sources, isReadOnly }: Known,
): string | undefined {
  if (isReadOnly) return READ_ONLY;
  const some = (left: number): string =>
    sessions.length > 1 ? ` (${left === sessions.length ? "all" : left} of ${sessions.length} selected)` : "";
  const gone = sessions.filter(({ vanishedAt }) => typeof vanishedAt === "string").length;
  if (gone > 0) return `The files are gone, and only rethread's copy is left: export it instead${some(gone)}`;
  const whyNot = new Map(
    sources.flatMap(({ source, cannot }) =>
      cannot.flatMap(({ change, why }) => (change === kind ? [[source, why] as const] : [])),
    ),
  );
  const refused = sessions.filter(({ source }) => whyNot.has(source));
  const [first] = refused;
  return first && `${whyNot.get(first.source)}${some(refused.length)}`;
}

const NOTHING_KNOWN: Known = { sources: [], isReadOnly: false };

export function useKnown(): Known {
  const { data } = useQuery({ queryKey: keys.sources, queryFn: ({ signal }) => api.sources({ signal }) });
  const health = useQuery({ queryKey: keys.health, queryFn: ({ signal }) => api.health({ signal }) });
  const isReadOnly = health.data?.isReadOnly === true;
  return useMemo(
    () => (data || isReadOnly ? { sources: data?.sources ?? [], isReadOnly } : NOTHING_KNOWN),
    [data, isReadOnly],
  );
}

export function useRefusals(): Refuse {
  const known = useKnown();
  return useMemo(() => (kind, sessions) => refusalOf(kind, sessions, known), [known]);
}

/** Its key and its place in the palette stay, and say why nothing happens. */
export const unlessRefused = <S extends { readonly run: () => void; readonly refusal?: string | undefined }>(
  shortcut: S,
): S => {
  const { refusal } = shortcut;
  return refusal === undefined ? shortcut : { ...shortcut, run: () => toast({ text: refusal }) };
};
