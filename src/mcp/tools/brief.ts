/** `brief`: what somebody needs to know who takes a session up. */
import { BRIEF_SECTIONS, type BriefSection, fitBrief } from "../../model/summary/brief.ts";
import { brief } from "../../operations/reports/brief.ts";
import { plural } from "../../present/text/measure.ts";
import { cutTo } from "../answer.ts";
import { callOf, cite, nameOf } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { defineTool } from "../tool.ts";

export default defineTool({
  name: "brief",
  title: "Brief me on a session",
  description:
    "A compact briefing of one session: goal, state, decisions, files, open questions and last errors, each with its turn. Use it before continuing earlier work.",
  kind: "question",
  operations: [brief],
  input: (z) => z.strictObject({ session: brief.input(z).shape.session }),
  async run({ session: name }, { ask, budget }) {
    const { session, ...sections } = await ask("brief", { session: name, redact: true });
    const facts = Object.values(sections).flat();
    const times = new Map(facts.map(({ turn, time }) => [turn, time]));
    const about = [
      `# ${session.title}`,
      [session.repository, session.branch && `branch ${session.branch}`, session.workspace]
        .filter(Boolean)
        .join(" · "),
    ].filter((line) => line !== "");
    const [goal] = sections.goal;
    const first = `${cite(session, goal?.turn ?? null, goal?.time ?? session.updatedAt)}\n${goal?.text ?? ""}`;
    return {
      head: `A briefing made from the log of this session (${plural(session.turns, "turn", "turns")}).`,
      body({ tokens, count }) {
        const top = `${about.join("\n")}\n\n`;
        const { markdown, left } = fitBrief(
          sections,
          (turn) => cite(session, turn, times.get(turn)),
          (text) => count(top + text) <= tokens,
        );
        const cut = (Object.keys(BRIEF_SECTIONS) as BriefSection[]).flatMap((section) =>
          left[section] ? [`${left[section]} of ${BRIEF_SECTIONS[section].toLowerCase()}`] : [],
        );
        return {
          // Where not one fact fits, its beginning has to do.
          text: markdown === "" ? cutTo(first, tokens, count) : top + markdown,
          cut:
            cut.length > 0
              ? [
                  `Cut: ${cut.join(", ")}. To get them: ${callOf("brief", { session: nameOf(session), budget: largerThan(budget) })}; read has the turns themselves.`,
                ]
              : [],
        };
      },
    };
  },
});
