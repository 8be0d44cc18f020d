/** Problems as the doctor lists them: grouped by session or by kind, the worst first. */
import type { Answer } from "../../../../src/client/types.ts";
import { PROBLEM_CODES } from "../../../../src/model/problem.ts";

export type Diagnosis = Answer<"doctor">;
export type Finding = Diagnosis["problems"][number];
export type Severity = Finding["severity"];

export const SEVERITIES: readonly Severity[] = ["damage", "trouble", "oddity"];

/** What each severity means, for people. */
export const SEVERITY_WORDS: Readonly<Record<Severity, { readonly label: string; readonly means: string }>> =
  {
    damage: { label: "Damage", means: "content is lost, or the owning program fails on it" },
    trouble: { label: "Trouble", means: "readable, but the owning program hides it or will lose it" },
    oddity: { label: "Oddity", means: "worth knowing, but the owning program tolerates it" },
  };

/** The meaning of a code as a sentence. */
export function meaningOf(code: Finding["code"]): string {
  const { means } = PROBLEM_CODES[code];
  return means.charAt(0).toUpperCase() + means.slice(1);
}

/** Findings that say the same of different places. */
export interface Alike {
  readonly key: string;
  readonly first: Finding;
  readonly all: readonly Finding[];
}

const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);

export function alikeIn(findings: readonly Finding[]): Alike[] {
  const groups = Map.groupBy(findings, ({ code, message }) => `${code} ${message}`);
  return [...groups].flatMap(([key, all]) => (all[0] ? [{ key, first: all[0], all }] : []));
}

/** All that is wrong with one session; or with a program's own files, where it is about none. */
export interface Patient {
  readonly key: string;
  readonly source: string;
  readonly session: string | null;
  readonly title: string | null;
  readonly findings: readonly Finding[];
}

export function patientsIn(findings: readonly Finding[]): Patient[] {
  const groups = Map.groupBy(findings, ({ source, session }) => `${source}:${session ?? ""}`);
  return [...groups].flatMap(([key, all]) => {
    const [first] = all;
    if (!first) return [];
    const title = all.find((each) => each.title !== null)?.title ?? null;
    const sorted = all.toSorted((a, b) => rank(a) - rank(b));
    return [{ key, source: first.source, session: first.session, title, findings: sorted }];
  });
}

/** What `Repair all` is about: VS Code as a whole, and the sessions of other programs one by one. */
export function repairable(findings: readonly Finding[]): {
  readonly source: string;
  readonly sessions: readonly string[];
  readonly count: number;
} {
  const rescued = findings.filter(({ remedy }) => remedy?.action === "rescue");
  const isVsCode = rescued.some(({ source }) => source === "vscode");
  const others = rescued.flatMap(({ source, session }) =>
    source === "vscode" || session === null ? [] : [`${source}:${session}`],
  );
  return { source: isVsCode ? "vscode" : "", sessions: [...new Set(others)], count: rescued.length };
}
