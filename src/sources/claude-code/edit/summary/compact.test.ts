/** What compactions and summarized clones leave in a transcript. */
import { describe, expect, it } from "vitest";
import { carriedOut, homeOf, NEW, OLD, PROJECT } from "../../../../../test/edit/claude-transcript.ts";
import type { Transcript } from "../../../../../test/real/claude-rows.ts";
import { editor } from "../index.ts";
import { fromSummaryText, toMarkdown, toSummaryText } from "./markdown.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const compact = editor.summaries?.compact ?? (() => Promise.reject(new Error("no summaries")));

const turns =
  (...numbers: number[]) =>
  (t: Transcript): void => {
    for (const turn of numbers) {
      t.prompt(`Ask ${turn}`, { uuid: `p${turn}` });
      t.answer(`Did ${turn}.`, { uuid: `a${turn}` });
    }
  };
const parse = (line = "{}") => JSON.parse(line);

describe("a compaction", () => {
  it("is appended, and the model receives the summary and the last turns word for word", async () => {
    const home = await homeOf((t) => {
      turns(0, 1)(t);
      t.prompt("Ask 2", { uuid: "p2" });
      t.row({ uuid: "mute", type: "attachment", attachment: { type: "prompt_snapshot" } });
      t.answer("I look.", { uuid: "a2", reply: "r" });
      t.call("c0", { uuid: "c0", reply: "r" });
      t.call("c1", { uuid: "c1", reply: "r" });
      t.result("c1", { uuid: "r1" });
      t.goTo("c0");
      t.result("c0", { uuid: "r0" });
      t.answer("Done.", { uuid: "a2b" });
      turns(3)(t);
    });
    const draft = await compact(home.fs, home.artifact, { keep: 2, now });
    const { lines, said } = await carriedOut(home, draft);
    expect(lines.slice(0, home.lines.length)).toEqual(home.lines);
    const [boundary, summary, note, ...rest] = lines.slice(home.lines.length).map(parse);
    expect(rest).toEqual([]);
    const uuids = ["p2", "a2", "c0", "c1", "r1", "r0", "a2b", "p3", "a3"];
    expect(boundary).toMatchObject({
      ...{ type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid: "a3" },
      compactMetadata: {
        trigger: "manual",
        preservedSegment: { headUuid: "p2", anchorUuid: summary.uuid, tailUuid: "a3" },
        preservedMessages: { anchorUuid: summary.uuid, uuids, allUuids: uuids },
      },
    });
    expect(summary).toMatchObject({
      ...{ type: "user", isCompactSummary: true, isVisibleInTranscriptOnly: true, cwd: "/srv/shop" },
      ...{ parentUuid: boundary.uuid, sessionId: OLD, timestamp: now.toISOString() },
    });
    expect(note).toMatchObject({ type: "system", subtype: "informational", parentUuid: summary.uuid });
    expect(said[0]?.trimEnd()).toBe(summary.message.content);
    expect(said[0]).toContain("Ask 1");
    expect(said[0]).not.toContain("Ask 2");
    expect(said[0]).toContain(`rethread show claude-code:${OLD}`);
    expect(said[0]).toContain("Recent messages are preserved verbatim.");
    expect(said.slice(1)).toEqual([
      ...["Ask 2", "I look.", "output of c1", "output of c0", "Done.", "Ask 3", "Did 3."],
    ]);
    expect(draft).toMatchObject({ checkpoint: { number: 1 }, losses: [] });
  });

  it("of everything leaves the summary alone", async () => {
    const home = await homeOf(turns(0, 1));
    const { lines, said } = await carriedOut(home, await compact(home.fs, home.artifact, { now }));
    expect(parse(lines.at(-3)).compactMetadata).toEqual({ trigger: "manual" });
    expect(said).toHaveLength(2);
    expect(said[0]).toContain("Did 1.");
    // As it would say itself to a prompt that nobody answered.
    expect(said[1]).toBe("No response requested.");
    // All of it is in the summary already.
    const { planned, artifact } = await carriedOut(home, await compact(home.fs, home.artifact, { now }));
    expect((await compact(planned, artifact, { now })).steps).toEqual([]);
  });

  it("takes up the one before it, and the turns that one left", async () => {
    const home = await homeOf((t) => {
      turns(0, 1, 2)(t);
      t.compact(["p2", "a2"]);
      turns(3, 4)(t);
    });
    const draft = await compact(home.fs, home.artifact, { keep: 1, now });
    const { said, artifact, planned } = await carriedOut(home, draft);
    const [summary = "", ...rest] = said;
    expect(summary).toContain("all of it.");
    for (const told of ["Ask 2", "Ask 3"]) expect(summary).toContain(told);
    expect(summary).not.toContain("Ask 1");
    expect(rest).toEqual(["Ask 4", "Did 4."]);
    expect(draft).toMatchObject({ checkpoint: { number: 2 } });
    // There is nothing left to compact, and all of it was said once.
    expect((await compact(planned, artifact, { keep: 1, now })).steps).toEqual([]);
    const third = await compact(planned, artifact, { now });
    expect((await carriedOut({ fs: planned }, third)).said[0]).toMatch(
      /all of it\.[\s\S]*Ask 2[\s\S]*Ask 3[\s\S]*Ask 4/,
    );
  });

  it("has nothing to do where all turns are to stay, and refuses the log of a sub-agent", async () => {
    const home = await homeOf(turns(0, 1));
    expect((await compact(home.fs, home.artifact, { keep: 2, now })).steps).toEqual([]);
    // A summary of no turn would only take from the model what it has.
    const calls = await homeOf((t) => {
      t.call("a");
      t.result("a");
    });
    expect((await compact(calls.fs, calls.artifact, { now })).steps).toEqual([]);
    const agent = { ...home.artifact, id: "agent-1" };
    await expect(compact(home.fs, agent, { keep: 1, now })).rejects.toMatchObject({ code: "not-supported" });
  });

  it("is written by the user's own command, in the words of this program", async () => {
    const home = await homeOf(turns(0, 1));
    const asked: string[] = [];
    const tags = ["overview", "history", "work_done", "technical_details", "important_files", "next_steps"];
    const write = async (prompt: string): Promise<string> => {
      asked.push(prompt);
      return tags.map((tag) => `<${tag}>\nMy ${tag}\n</${tag}>`).join("\n");
    };
    const { said } = await carriedOut(home, await compact(home.fs, home.artifact, { keep: 1, now, write }));
    expect(asked[0]).toContain("[turn 0] User: Ask 0");
    expect(asked[0]).not.toContain("Ask 1");
    expect(said[0]).toContain("## Work done\n\nMy work_done\n\n## Technical details");
    const silent = { keep: 1, now, write: async () => "Sorry" };
    await expect(compact(home.fs, home.artifact, silent)).rejects.toMatchObject({ code: "summary-failed" });
  });
});

describe("a clone with a summary", () => {
  const clone = (home: Awaited<ReturnType<typeof homeOf>>, reduction: object) =>
    editor.clone(home.fs, home.artifact, {
      id: NEW,
      now,
      reduce: { reduction, count: (text) => Math.ceil(text.length / 4), summarize: {} },
    });

  it("begins with it, in place of the turns that go", async () => {
    const home = await homeOf(turns(0, 1, 2));
    const draft = await clone(home, { dropOldest: { count: 2 } });
    const { lines, said } = await carriedOut(home, draft);
    expect(parse(lines[0])).toMatchObject({ isCompactSummary: true, parentUuid: null, sessionId: NEW });
    expect(parse(lines[1])).toMatchObject({ uuid: "p2", parentUuid: parse(lines[0]).uuid });
    expect(said[0]).toMatch(/Ask 0[\s\S]*Ask 1[\s\S]*rethread show claude-code:1111/);
    expect(said.slice(1)).toEqual(["Ask 2", "Did 2."]);
    expect(draft.checkpoint).toMatchObject({ number: 1, path: `${PROJECT}/${NEW}.jsonl` });
  });

  it("has taken up an earlier compaction, which is not in it any more", async () => {
    const home = await homeOf((t) => {
      turns(0, 1)(t);
      t.compact();
      turns(2, 3)(t);
    });
    const { lines, said } = await carriedOut(home, await clone(home, { dropOldest: { count: 3 } }));
    expect(lines.filter((line) => line.includes("compact_boundary"))).toEqual([]);
    expect(said[0]).toMatch(/all of it\.[\s\S]*Ask 2/);
    expect(said.slice(1)).toEqual(["Ask 3", "Did 3."]);
    // Within a budget, what only the earlier summary told of does not come back.
    const small = await carriedOut(home, await clone(home, { budget: 100_000 }));
    expect(small.said.slice(1)).toEqual(["Ask 2", "Did 2.", "Ask 3", "Did 3."]);
  });
});

it("a summary in Markdown is read back as it was, and any other as an overview", () => {
  const summary = {
    ...{ title: "Rounding", overview: "It rounds.\n# Twice", history: "1. Asked", workDone: "- a.ts" },
    ...{ technicalDetails: "## Next steps\nnone", importantFiles: "", nextSteps: "Test it" },
  };
  const text = toSummaryText(summary, ["Recent messages are preserved verbatim."]);
  expect(fromSummaryText(text)).toEqual({
    ...summary,
    overview: "It rounds.\n### Twice",
    technicalDetails: "### Next steps\nnone",
  });
  expect(toMarkdown(fromSummaryText(text))).toBe(toMarkdown(summary));
  expect(
    fromSummaryText(
      "Opening.\n\nSummary:\n1. Primary Request:\n   Fix it\n\nIf you need specific details from before compaction, look.",
    ),
  ).toMatchObject({
    ...{ title: "", overview: "1. Primary Request:\n   Fix it", nextSteps: "" },
  });
});
