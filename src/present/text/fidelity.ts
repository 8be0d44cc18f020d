/** What another program gets of a session, in words. */
import {
  FIDELITY_KINDS,
  type Fidelity,
  type FidelityCounts,
  type FidelityKind,
} from "../../model/handoff/fidelity.ts";
import { plural } from "./measure.ts";

const WORDS: Readonly<Record<FidelityKind, readonly [one: string, many: string]>> = {
  prompts: ["prompt", "prompts"],
  answers: ["answer", "answers"],
  calls: ["call", "calls"],
  thinking: ["thought", "thoughts"],
  images: ["image", "images"],
  attachments: ["attached file", "attached files"],
  summaries: ["summary", "summaries"],
  reminders: ["reminder", "reminders"],
};

const FORMS = { native: "native", text: "as text", dropped: "left behind" } as const;

/** By form, without those that nothing has. */
export const fidelityWords = (
  fidelity: Fidelity,
): readonly { readonly form: string; readonly words: string }[] =>
  (Object.keys(FORMS) as (keyof typeof FORMS)[])
    .map((form) => ({ form: FORMS[form], words: inWords(fidelity[form]) }))
    .filter(({ words }) => words !== "");

const inWords = (counts: FidelityCounts): string =>
  FIDELITY_KINDS.flatMap((kind) => {
    const count = counts[kind];
    return count === undefined ? [] : [plural(count, ...WORDS[kind])];
  }).join(", ");
