/** What another program gets of a session, in which form, and why not all of it is native. */
import type { EditPlan } from "../../../model/plan.ts";
import { fidelityWords } from "../../../present/text/fidelity.ts";
import type { Style } from "../../../present/text/style.ts";
import { oneLine, wrap } from "../../../present/text/text.ts";

const FORM_WIDTH = 11;

export function fidelityLines(
  { fidelity }: Pick<EditPlan, "fidelity">,
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  if (!fidelity) return [];
  const indent = " ".repeat(FORM_WIDTH + 4);
  const forms = fidelityWords(fidelity).flatMap(({ form, words }) => {
    const [first = "", ...rest] = wrap(words, columns - indent.length);
    return [`  ${form.padEnd(FORM_WIDTH)}  ${first}`, ...rest.map((line) => indent + line)];
  });
  const reasons = fidelity.reasons.flatMap((reason) =>
    wrap(oneLine(reason), columns - 4).map((line, at) => style.dim(`  ${at === 0 ? "· " : "  "}${line}`)),
  );
  return [...forms, ...reasons];
}
