/** Prints the problems of VS Code's chats, one line for each workspace, and how to fix them. */
import type { Diagnosis, WorkspaceHealth } from "../../../app/contract.ts";
import { PROBLEM_CODES, type ProblemCode } from "../../../model/problem.ts";
import { readablePlace } from "../../../model/values/workspace-place.ts";
import type { Page } from "../../../present/page.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import { fold, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";
import { fixLines } from "./problems.ts";

/** These have columns of their own. */
const APART: readonly ProblemCode[] = ["session-emptied", "index-unreadable"];

export function printWorkspaces(
  diagnosis: Diagnosis,
  homeDir: string,
  page: Page,
  demo: "" | " --demo",
): string[] {
  const { style, columns } = page;
  const { problems, workspaces, sessions } = diagnosis;
  const ill = workspaces.filter((each) =>
    Object.keys(each.problems).some((code) => isTold(code as ProblemCode)),
  );
  const chats = plural(sessions, "chat", "chats");
  const all = `${chats} in ${plural(workspaces.length, "workspace", "workspaces")}`;
  if (ill.length === 0) return wrap(`Nothing is wrong with ${all}.`, columns).map(style.green);
  const places = new Map(
    problems
      .filter(({ code }) => code === "workspace-missing" || code === "workspace-replaced")
      .map((problem) => [problem.message, problem]),
  );
  const canRescue = problems.some(({ remedy }) => remedy?.action === "rescue" || remedy?.action === "move");
  const next = [
    ...(canRescue
      ? [["see what can be repaired", `rethread rescue --vscode --dry-run${demo}`] as const]
      : []),
    ["see each problem and where it is", `rethread doctor --source vscode${demo}`] as const,
  ];
  return [
    ...toTable(ill, toColumns(homeDir, page), columns, style.dim),
    "",
    ...[...places].flatMap(([message, problem]) => [
      ...wrap(`• ${atHome(oneLine(message), homeDir)}`, columns - 2).map(
        (line, at) => `${at > 0 ? "  " : ""}${line}`,
      ),
      ...(problem.remedy?.action === "move"
        ? fixLines(problem, columns - 4).map((line) => `  ${style.green(line)}`)
        : []),
    ]),
    ...(places.size > 0 ? [""] : []),
    ...wrap(`${plural(ill.length, "workspace has", "workspaces have")} problems, of ${all}.`, columns).map(
      style.bold,
    ),
    ...next.flatMap(([what, command]) =>
      fold(`${what}: ${command}`, columns - 2).map((line) => `  ${style.cyan(line)}`),
    ),
  ];
}

const isTold = (code: ProblemCode): boolean => PROBLEM_CODES[code].severity !== "oddity";

function toColumns(homeDir: string, { style }: Page): Column<WorkspaceHealth>[] {
  const count = (head: string, ...codes: ProblemCode[]): Column<WorkspaceHealth> => ({
    head,
    align: "right",
    text: ({ problems }) => {
      const sum = codes.reduce((all, code) => all + (problems[code] ?? 0), 0);
      return sum === 0 ? "" : amount(sum);
    },
    paint: () => style.yellow,
  });
  const damage = (Object.keys(PROBLEM_CODES) as ProblemCode[]).filter(
    (code) => PROBLEM_CODES[code].severity === "damage" && !APART.includes(code),
  );
  return [
    { head: "WORKSPACE", text: ({ workspace }) => nameOf(workspace, homeDir), min: 16 },
    { head: "CHATS", align: "right", text: ({ sessions }) => amount(sessions) },
    { ...count("DAMAGED", ...damage), paint: () => style.red },
    { ...count("EMPTIED", "session-emptied"), paint: () => style.red },
    count("UNLISTED", "session-orphaned"),
    count("GONE", "session-ghost"),
    count("HIDDEN", "session-hidden"),
    count("NEWER", "format-newer"),
    {
      head: "LIST",
      text: ({ problems }) =>
        problems["index-unreadable"] ? "damaged" : problems["index-unavailable"] ? "in use" : "",
      paint: ({ problems }) => (problems["index-unreadable"] ? style.red : style.yellow),
    },
    {
      head: "FOLDER",
      text: ({ problems }) =>
        problems["workspace-missing"] ? "gone" : problems["workspace-replaced"] ? "recreated" : "",
      paint: () => style.yellow,
    },
  ];
}

/** Of a place elsewhere the folder comes first, as names are cut at their end. */
function nameOf(workspace: string, homeDir: string): string {
  return atHome(oneLine(readablePlace(workspace)), homeDir);
}

const atHome = (text: string, homeDir: string): string =>
  homeDir.length > 1 ? text.replaceAll(homeDir, "~") : text;
