/** Who wrote the lines of a file, as JSON. */
import type { AttributedEdit, BlameReport, EditedFiles } from "../../app/contract.ts";
import { formatKey } from "../../model/values/id.ts";

/** What is told of a prompt with each of its lines, in characters. */
export const PROMPT_GIST = 400;

export const toBlameJson = ({
  file,
  lines,
  total,
  unread,
  leftOut,
  why,
  isBrief,
  hasGit,
  gitTrouble,
}: BlameReport) => ({
  file,
  lines: lines.map(({ line, text, written, commit }, at) => ({
    line,
    text,
    session: written
      ? { source: written.session.source, id: written.session.id, title: written.session.title }
      : null,
    turn: written?.turn ?? null,
    time: (written ? written.time : commit?.time) ?? null,
    prompt:
      written && !(isBrief && isSameTurn(written, lines[at - 1]?.written)) ? gistOf(written.prompt) : null,
    commit: commit?.id ?? null,
  })),
  total,
  commits: [...new Map(lines.flatMap(({ commit }) => (commit ? [[commit.id, commit]] : []))).values()].map(
    ({ id, author, time, summary }) => ({ commit: id, author, time, summary }),
  ),
  why: why ? { prompt: why.prompt, reasons: why.reasons, tool: why.tool ?? null } : null,
  hasGit,
  gitTrouble: gitTrouble ?? null,
  unread,
  leftOut,
});

const isSameTurn = (a: AttributedEdit, b: AttributedEdit | undefined): boolean =>
  b !== undefined && a.turn === b.turn && formatKey(a.session) === formatKey(b.session);

function gistOf(prompt: string): string {
  const text = prompt.trim();
  if (text.length <= PROMPT_GIST) return text;
  const head = text.slice(0, PROMPT_GIST);
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`;
}

export const toFilesJson = ({ files }: EditedFiles) => ({
  files: files.map(({ path, workspace, sessions, lastAt, exists }) => ({
    path,
    workspace: workspace ?? null,
    sessionCount: sessions,
    lastAt: lastAt ?? null,
    exists,
  })),
});
