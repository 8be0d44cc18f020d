/** Collects everything that the scan, the readers and the health checks found, worst first. */
import { distinct, type Problem, type Severity, severityOf } from "../model/problem.ts";
import type { Session, SourceId } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { ownTops } from "../sources/machine/own-tops.ts";
import { foldersElsewhere } from "./doctor-elsewhere.ts";
import { byWorkspace, type WorkspaceHealth } from "./doctor-workspaces.ts";
import { type Progress, readHeads } from "./heads.ts";
import { knownSources } from "./list.ts";

export interface Finding extends Problem {
  readonly severity: Severity;
  /** Of the session it belongs to. */
  readonly title?: string;
  /** Version of the program that wrote the session: an unknown record type often means a newer one. */
  readonly producer?: string;
}

export interface Diagnosis {
  readonly problems: readonly Finding[];
  readonly sessions: number;
  readonly sources: readonly SourceId[];
  readonly workspaces: readonly WorkspaceHealth[];
}

/** The sessions for which a repair is what helps. */
export const inNeedOfRescue = ({ problems }: Diagnosis): string[] => [
  ...new Set(problems.flatMap(({ remedy }) => (remedy?.action === "rescue" ? (remedy.session ?? []) : []))),
];

const ORDER: Record<Severity, number> = { damage: 0, trouble: 1, oddity: 2 };

export interface DiagnoseOptions {
  readonly sources?: readonly string[] | undefined;
  readonly progress?: Progress | undefined;
  /** What is wrong with our own copies of sessions. */
  readonly ours?: readonly Problem[];
  /** What is wrong around these sessions. */
  readonly around?: (sessions: readonly Session[]) => Promise<readonly Problem[]>;
  /** Called with what is wrong with each session as soon as that was read; the diagnosis has it again, in its order. */
  readonly found?: (findings: readonly Finding[]) => void;
}

export async function diagnose(
  catalog: Catalog,
  { sources: only, progress, ours = [], around = async () => [], found }: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const sources = only && knownSources(catalog, only);
  const { heads, scanProblems } = await readHeads(catalog, {
    onDisk: true,
    problemsOnly: true,
    ...(sources && { sources }),
    ...(progress && { progress }),
    ...(found && {
      head({ session, problems }) {
        if (problems.length > 0) found(problems.map((problem) => toFinding(problem, session)));
      },
    }),
  });
  const workspaces = new Map(heads.map(({ session: { path, workspace } }) => [path, workspace]));
  const examined = await catalog.diagnose(sources, { workspaceOf: (path) => workspaces.get(path) });
  const sessions = new Map(heads.map(({ session }) => [`${session.source}:${session.id}`, session]));
  const about = sources ? ours.filter(({ source }) => sources.includes(source)) : ours;
  const all = [
    ...heads.flatMap((head) => head.problems),
    ...scanProblems,
    ...examined,
    ...about,
    ...foldersElsewhere([...sessions.values()], await ownTops(catalog.fs), await moversOf(catalog)),
    ...(await around([...sessions.values()])),
  ];
  const findings = distinct(all)
    .map((problem) => toFinding(problem, sessions.get(`${problem.source}:${problem.session ?? ""}`)))
    .sort(byWeight);
  return {
    problems: findings,
    workspaces: byWorkspace(findings, [...sessions.values()]),
    sessions: heads.length,
    sources: sources ?? catalog.sources.map((each) => each.source),
  };
}

/** Which sources can move their sessions. */
async function moversOf(catalog: Catalog): Promise<(source: string) => boolean> {
  const able = new Set<string>();
  for (const { source } of catalog.sources)
    if ((await catalog.source(source).editor?.())?.moves) able.add(source);
  return (source) => able.has(source);
}

const toFinding = (problem: Problem, session: Session | undefined): Finding => ({
  ...problem,
  severity: severityOf(problem),
  ...(session && { title: session.title }),
  ...(session?.producer !== undefined && { producer: session.producer }),
});

/** Worst first; then what belongs together stands together. */
function byWeight(a: Finding, b: Finding): number {
  return (
    ORDER[a.severity] - ORDER[b.severity] ||
    compare(a.source, b.source) ||
    compare(a.session ?? "", b.session ?? "") ||
    compare(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.code, b.code)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
