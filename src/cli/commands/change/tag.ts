/** `rethread tag`: shows, gives and removes the tags of a session. */
import { AppError } from "../../../model/errors.ts";
import { shortId } from "../../../model/values/id.ts";
import { tag, tags } from "../../../operations/changes/tag.ts";
import { amount } from "../../../present/text/measure.ts";
import { oneLine, wrap } from "../../../present/text/text.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { toTable } from "../../print/terminal/table.ts";

export default defineCommand({
  name: "tag",
  summary: "Give a session tags to find it by, or remove them; without a session, list all tags",
  brief: "Give sessions tags to find them by",
  about:
    "Tags are kept by rethread, in lower case; no file of an agent changes, so they work for every source. A session keeps its tags when it is renamed, moved, rewound or repaired, and has them again when its deletion is undone. A clone, a fork or an imported session starts without tags. At most 20 tags of at most 40 characters for each session.",
  args: {
    session: { ...SESSION_ARG.session, optional: true },
    tags: { kind: "positional", rest: true, optional: true, help: "the tags to give it, or to remove" },
    remove: { kind: "flag", help: "remove these tags from the session" },
  },
  examples: [
    { command: "rethread tag 0b1c2d3e release 'to review'", why: "give a session two tags" },
    { command: "rethread tag 0b1c2d3e 'to review' --remove", why: "remove one of them" },
    { command: "rethread list --tag release", why: "the sessions that have a tag" },
    { command: "rethread tag", why: "all tags, and how many sessions have each" },
  ],
  operations: [tags, tag],
  json: [
    { when: "without tags to give or remove", schema: tags.output },
    { when: "with tags", schema: tag.output },
  ],
  async run({ args, out, openApp }) {
    const { session, tags: named, remove } = args;
    if (session !== undefined && named.length > 0) {
      const app = await openApp();
      const input = { sessions: [session], ...(remove ? { remove: named } : { add: named }) };
      const tagged = await out.progress("Reading sessions", (call) => tag.run(app, input, call));
      if (args.json) out.json(tag.toJson(tagged, app));
      else
        for (const each of tagged) {
          const now = each.tags.length === 0 ? "has no tags" : `is tagged ${each.tags.join(", ")}`;
          for (const line of wrap(oneLine(`${shortId(each.id)} ${now}`), out.columns)) out.line(line);
        }
      return 0;
    }
    if (remove)
      throw new AppError(
        "usage",
        "--remove needs a session and the tags to remove",
        "For example: rethread tag 0b1c2d3e release --remove",
      );
    const app = await openApp();
    const found = await tags.run(app, session === undefined ? {} : { session });
    if (args.json) out.json(tags.toJson(found, app));
    else if (found.length === 0)
      out.line(
        session === undefined ? "No session has a tag. Give one: rethread tag <session> <tag>" : "No tags",
      );
    else
      for (const line of toTable(
        found,
        [
          { head: "TAG", text: (each) => oneLine(each.tag), paint: () => out.style.cyan, min: 12 },
          { head: "SESSIONS", align: "right", text: (each) => amount(each.count) },
        ],
        out.columns,
        out.style.dim,
      ))
        out.line(line);
    return 0;
  },
});
