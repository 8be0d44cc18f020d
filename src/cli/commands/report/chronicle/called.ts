/** What all reports of `rethread chronicle` share: how they are called, and how an answer is printed in a format. */
import type { App, ReportKind } from "../../../../app/contract.ts";
import { plain } from "../../../../present/text/text.ts";
import type { Invocation } from "../../../command.ts";
import type { CHRONICLE_ARGS } from "../chronicle.ts";

export type Called = Invocation<typeof CHRONICLE_ARGS>;

export interface Forms {
  json(): Readonly<Record<string, unknown>>;
  text(): Promise<readonly string[]>;
  title(): Promise<string>;
  /** `level` is that of its first headings. */
  markdown(level: number): Promise<string>;
}

/** Prints one of the forms, as the options say. */
export async function printReport(called: Called, app: App, kind: ReportKind, forms: Forms): Promise<number> {
  const { args, out } = called;
  if (args.prompt) {
    out.write(await (await app.chronicle()).prompt(kind, forms.json()));
    return 0;
  }
  const polished = args.with === undefined ? undefined : await polish(called, app, kind, forms);
  const format = args.json ? "json" : (args.format ?? "text");
  if (format === "json") out.json(forms.json());
  else if (format === "text")
    for (const line of polished === undefined ? await forms.text() : plain(polished).split("\n"))
      out.line(line);
  else if (format === "md")
    out.write(
      `## ${await forms.title()}\n\n${polished === undefined ? await forms.markdown(3) : `${plain(polished)}\n`}`,
    );
  else {
    const { htmlReport } = await import("../../../../present/html/report.ts");
    out.write(htmlReport(await forms.title(), polished ?? (await forms.markdown(1))));
  }
  return 0;
}

/** The report in other words; nothing where these cannot be trusted, which is said. */
async function polish(
  { args, out }: Called,
  app: App,
  kind: ReportKind,
  forms: Forms,
): Promise<string | undefined> {
  const words = args.with ?? "";
  const answer = await (await app.chronicle()).polish(kind, forms.json(), words);
  if ("text" in answer) return answer.text;
  out.note(`${answer.refused}, so this is the plain report`);
  return undefined;
}

export const toPage = ({ out }: Called, app: App) => ({
  columns: out.columns,
  style: out.style,
  isDemo: app.demo !== undefined,
});
