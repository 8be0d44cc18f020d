/** `blame`: which session and turn last wrote the lines of a file. */
import { blame } from "../../operations/reports/blame.ts";
import { plural } from "../../present/text/measure.ts";
import { callOf, cite } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { fitItems } from "../items.ts";
import { defineTool, type Told } from "../tool.ts";

type Line = Told<"blame">["lines"][number];

export default defineTool({
  name: "blame",
  title: "Who wrote these lines",
  description:
    "For each line of a file as it is now: the session, turn and prompt that last wrote it, or the commit where no session did. Lines of one turn stand together. With line, only that one, and why it was written.",
  kind: "question",
  operations: [blame],
  input: (z) => {
    const { file, line, to } = blame.input(z).shape;
    return z.strictObject({ file, line, to });
  },
  async run({ file, line, to }, { ask, redact, budget }) {
    const isOne = line !== undefined && (to === undefined || to === line);
    // All of the file, so that a secret over several lines is known for one; only then are lines chosen.
    const whole = await ask("blame", { file });
    const found = {
      total: whole.total,
      hasGit: whole.hasGit,
      gitTrouble: whole.gitTrouble,
      why: isOne ? (await ask("blame", { file, line, why: true })).why : null,
      lines: withoutSecrets(whole.lines, redact).filter(
        (each) => line === undefined || (each.line >= line && each.line <= (to ?? line)),
      ),
    };
    if (found.lines.length === 0) return { head: "The file has no such lines." };
    const isTroubled = found.gitTrouble !== null;
    const runs = runsOf(found.lines);
    const items = runs.map((run) => ({ forms: formsOf(run, isOne ? found.why : null, found.hasGit) }));
    const head = `${found.lines.length} of ${plural(found.total, "line", "lines")} of the file, by who last wrote them.`;
    return {
      head: !isTroubled ? head : `${head} Which of them are committed is not known, as git gave no answer.`,
      body(room) {
        const { text, shown, shortened } = fitItems(items, room);
        const isCut = shown < items.length || shortened.length > 0;
        const next = runs[shown]?.[0]?.line;
        return {
          text: !isTroubled ? text : `git: ${found.gitTrouble}\n${text}`,
          cut: isCut
            ? [
                `Cut: ${shown} of ${plural(items.length, "run", "runs")} of lines ${shown === 1 ? "is" : "are"} shown, ${shortened.length} shortened. To get the rest: ${callOf("blame", { file, ...(next !== undefined && { line: next, to: found.total }), budget: largerThan(budget) })}`,
              ]
            : [],
        };
      },
    };
  },
});

/** A line that is not there any more once secrets are gone is part of one. */
function withoutSecrets(lines: readonly Line[], redact: (text: string) => string): Line[] {
  const left = new Set(redact(lines.map(({ text }) => text).join("\n")).split("\n"));
  return lines.map((line) => (left.has(line.text) ? line : { ...line, text: "[redacted]" }));
}

/** Lines that follow each other and were written in one turn, or in one commit. */
function runsOf(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run?.[0] && whoOf(run[0], true) === whoOf(line, true)) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

const whoOf = ({ session, turn, commit, time }: Line, isAsked: boolean): string =>
  session
    ? cite(session, turn, time)
    : commit === null
      ? `no session${isAsked ? ", not committed" : ""}`
      : `no session, commit ${commit.slice(0, 9)}`;

function formsOf(run: readonly Line[], why: Told<"blame">["why"], isAsked: boolean): [string, ...string[]] {
  const [first] = run;
  const last = run.at(-1);
  if (!first || !last) return [""];
  const place = first.line === last.line ? `line ${first.line}` : `lines ${first.line}-${last.line}`;
  const head = `${place}: ${whoOf(first, isAsked)}`;
  const prompt = why?.prompt ?? first.prompt;
  const asked = prompt === null ? head : `${head}\nasked: ${prompt}`;
  const reasons = why?.reasons.map(({ kind, text }) => `${kind}: ${text}`) ?? [];
  const text = run.map((line) => `${line.line}: ${line.text}`).join("\n");
  return [
    [asked, ...reasons, text].join("\n"),
    `${asked}\n${text}`,
    asked,
    `${whoOf(first, isAsked)} ${place}`,
  ];
}
