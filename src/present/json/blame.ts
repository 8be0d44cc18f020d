/** Who wrote the lines of a file, as JSON. */
import type { BlameReport, EditedFiles } from "../../app/contract.ts";

/** What is told of a prompt with each of its lines, in characters. */
export const PROMPT_GIST = 400;

export const toBlameJson = ({ file, lines, total, unread, leftOut, why }: BlameReport) => ({
  file,
  lines: lines.map(({ line, text, written, commit }) => ({
    line,
    text,
    session: written
      ? { source: written.session.source, id: written.session.id, title: written.session.title }
      : null,
    turn: written?.turn ?? null,
    time: (written ? written.time : commit?.time) ?? null,
    prompt: written ? gistOf(written.prompt) : null,
    commit: commit?.id ?? null,
  })),
  total,
  commits: [...new Map(lines.flatMap(({ commit }) => (commit ? [[commit.id, commit]] : []))).values()].map(
    ({ id, author, time, summary }) => ({ commit: id, author, time, summary }),
  ),
  why: why ? { prompt: why.prompt, reasons: why.reasons, tool: why.tool ?? null } : null,
  unread,
  leftOut,
});

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
