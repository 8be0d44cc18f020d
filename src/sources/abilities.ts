/** Which changes can be made to the sessions of a source, from what it declares; and of the others, why not. */
import { CHANGES, type Change } from "../model/change.ts";
import type { Editor } from "./editor.ts";
import type { Source } from "./source.ts";

export interface SourceAbilities {
  readonly source: string;
  readonly label: string;
  /** The changes that cannot be made, each with the reason. */
  readonly cannot: readonly { readonly change: Change; readonly why: string }[];
  /** Sessions of other programs can be handed over to it. */
  readonly canTake: boolean;
  /** Its program can be talked to in `chat`. */
  readonly canChat: boolean;
}

/** What of an editor a change needs; every editor makes the other changes. */
const NEEDS: Readonly<Partial<Record<Change, (editor: Editor) => unknown>>> = {
  compact: ({ summaries }) => summaries,
  "checkpoint-create": ({ summaries }) => summaries?.checkpoint,
  move: ({ moves }) => moves,
  rescue: ({ repairs }) => repairs,
  "rescue-all": ({ repairs }) => repairs?.all,
  import: ({ imports }) => imports,
  "secrets-scrub": ({ scrubs }) => scrubs,
};

const WORDS: Readonly<Partial<Record<Change, string>>> = {
  handoff: "hand over",
  "checkpoint-create": "write checkpoints for",
  rescue: "repair",
  "rescue-all": "repair all",
  "secrets-scrub": "scrub",
};

export async function abilitiesOf({
  id,
  label,
  editor: load,
  start,
  context,
  handoff,
}: Source): Promise<SourceAbilities> {
  const editor = await load?.();
  const isRefused = (change: Change): boolean => {
    // It leaves the session as it is, and needs only to know what its model received.
    if (change === "handoff") return context === undefined;
    if (!editor) return true;
    const needs = NEEDS[change];
    return needs !== undefined && !needs(editor);
  };
  return {
    source: id,
    label,
    cannot: CHANGES.filter(isRefused).map((change) => ({
      change,
      why: editor ? cannot(WORDS[change] ?? change, label) : cannot("change", label),
    })),
    canTake: handoff !== undefined,
    canChat: start?.driver !== undefined,
  };
}

/** One sentence, the same wherever such a change is refused. */
export const cannot = (verb: string, label: string): string =>
  `Rethread cannot ${verb} sessions of ${label} yet`;
