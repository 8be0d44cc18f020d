/** What all reports of `rethread chronicle` share: how they are called, and how an answer is printed in a format. */
import type { App } from "../../../app/contract.ts";
import type { Invocation } from "../../command.ts";
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
export async function printReport({ args, out }: Called, forms: Forms): Promise<number> {
  const format = args.json ? "json" : (args.format ?? "text");
  if (format === "json") out.json(forms.json());
  else if (format === "text") for (const line of await forms.text()) out.line(line);
  else if (format === "md") out.write(`## ${await forms.title()}\n\n${await forms.markdown(3)}`);
  else {
    const { htmlReport } = await import("../../../present/html/report.ts");
    out.write(htmlReport(await forms.title(), await forms.markdown(1)));
  }
  return 0;
}

export const toPage = ({ out }: Called, app: App) => ({
  columns: out.columns,
  style: out.style,
  isDemo: app.demo !== undefined,
});
