/** Lets the user's own agent, or any command, reword a report; what it says must stand in the report's data. */
import { type ReportKind, toReportPrompt } from "../../chronicle/polish/prompt.ts";
import { unfoundedIn } from "../../chronicle/polish/unfounded.ts";
import { AppError } from "../../model/errors.ts";
import type { AppConfig } from "../config.ts";
import { createSummaryWriter, findAgents } from "../edit/summary-writer.ts";
import type { Request } from "../request.ts";

/** The text, or why the plain report is to be shown instead. */
export type Polished = { readonly text: string } | { readonly refused: string };

/** Names that a note can hold. */
const MOST_NAMED = 5;

export async function polishReport(
  request: Request,
  { environment, folder }: AppConfig,
  kind: ReportKind,
  report: unknown,
  words: string,
): Promise<Polished> {
  const { prompt, data } = toReportPrompt(kind, report);
  const agents = () => findAgents(request.catalog);
  const write = createSummaryWriter(words, { vars: environment.vars, folder, agents });
  try {
    const text = (await write(prompt)).trim();
    if (text === "") return { refused: `${words} answered nothing` };
    const wrong = unfoundedIn(text, data);
    if (wrong.length === 0) return { text };
    const named = wrong.slice(0, MOST_NAMED).join(", ");
    return {
      refused: `${words} named what is not in the data (${named}${wrong.length > MOST_NAMED ? ", …" : ""})`,
    };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "summary-failed")) throw error;
    return { refused: error.message.replace(/, so nothing was changed$/, "") };
  }
}
