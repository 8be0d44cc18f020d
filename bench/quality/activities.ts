/** What is done to a component, told as turns. Pure: the same component and seed give the same words. */
import type { StoryStep } from "../../src/model/session/story.ts";
import type { Component } from "./component.ts";

export type Activity = "fix" | "feature" | "speed" | "upgrade" | "tests" | "rename" | "explain" | "review";

export interface Talk {
  readonly title: string;
  readonly turns: readonly { readonly user: string; readonly steps: readonly StoryStep[] }[];
}

type Pick = <T>(list: readonly T[]) => T;

const say = (text: string): StoryStep => ({ kind: "say", text });
const read = (path: string): StoryStep => ({
  kind: "tool",
  tool: { does: "read", path },
  ok: true,
  output: `1  // ${path}`,
});
const edit = (path: string, before: string, after: string): StoryStep => ({
  kind: "tool",
  tool: { does: "edit", path, before, after },
  ok: true,
  output: "The file was edited.",
});
const run = (command: string, why: string, output: string, ok = true): StoryStep => ({
  kind: "tool",
  tool: { does: "run", command, why },
  ok,
  output,
});

const OPENINGS = [
  "Let me look at the code first.",
  "I'll start with the source and its tests.",
  "First I want to see what happens today.",
  "Good question. Here is what I found.",
];
const CLOSINGS = [
  "All tests pass. I kept the public interface as it was.",
  "The change is small and covered by a new test; nothing else had to move.",
  "I ran the whole suite twice to be sure. Tell me if you want it split into two commits.",
  "Done. The old behaviour is still there for callers that do not ask for the new one.",
];
const ASIDES = [
  "One thing I noticed on the way: the error handling in that folder is not consistent, but that is a different change.",
  "I did not touch the configuration, since other services read it, too.",
  "There was a comment that said the opposite of what the code does; I corrected it.",
  "If you prefer the other way around, it is a one-line change.",
];
const passed = (pick: Pick): string =>
  `Tests: ${pick([12, 31, 48, 102, 260])} passed, ${pick([12, 31, 48, 102, 260])} total\nTime: ${pick(["1.2", "3.9", "14.0"])} s`;
const cap = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

const commit = (pick: Pick, message: string): Talk["turns"][number] => ({
  user: pick(["commit it", "Looks good, commit.", "ok, commit and push", "Great. Please commit that."]),
  steps: [
    run(
      `git commit -am "${message}"`,
      "Commit",
      `[main ${pick(["4fa1c02", "90b3e7d", "c81d55a", "17e0f9b"])}] ${message}`,
    ),
    say(pick(["Committed and pushed.", "It is committed.", "Done, the branch is up to date."])),
  ],
});

const TELL: Record<Activity, (component: Component, pick: Pick) => Talk> = {
  fix: ({ name, files, names, bug }, pick) => ({
    title: cap(`${bug.symptom.split(/[,.?:]/)[0]}`),
    turns: [
      {
        user: `${bug.symptom}\n\nThis is in the log:\n${bug.error}`,
        steps: [
          say(pick(OPENINGS)),
          read(files[0]),
          run(bug.command, "Reproduce", bug.error, false),
          say(`I can reproduce it. ${bug.cause} It happens in \`${names[0]}\`.`),
        ],
      },
      {
        user: pick([
          "please fix it",
          "Makes sense. Fix it and add a test.",
          "ok go ahead",
          "can you repair that?",
        ]),
        steps: [
          edit(files[0], `${names[0]}(old)`, `${names[0]}(${names[1]})`),
          edit(files[1], "", `it covers ${names[1]}`),
          run("npm test", "Test", passed(pick)),
          say(`${bug.cure} ${pick(CLOSINGS)}`),
        ],
      },
      { user: bug.detail[0], steps: [read(files[2]), say(`${bug.detail[1]} ${pick(ASIDES)}`)] },
      {
        user: "open a pull request",
        steps: [
          run(
            `gh pr create --title "Fix ${name}" --fill`,
            "Open",
            `https://github.com/example/shop/pull/${bug.pr}`,
          ),
          say(`The pull request is open: #${bug.pr}.`),
        ],
      },
    ],
  }),
  feature: ({ name, files, names, wish }, pick) => ({
    title: cap(wish.ask.replace(/\.$/, "")),
    turns: [
      {
        user: `${wish.ask} It belongs to the ${name}.`,
        steps: [
          say(pick(OPENINGS)),
          read(files[0]),
          edit(files[0], `${names[1]}()`, `${names[1]}(options)`),
          edit(files[1], "", "it does what was asked"),
          run("npm test", "Test", passed(pick)),
          say(`${wish.made} ${pick(CLOSINGS)} ${pick(ASIDES)}`),
        ],
      },
      commit(pick, `Add to the ${name}`),
    ],
  }),
  speed: ({ name, files, names, slow }, pick) => ({
    title: cap(`make the ${name} faster`),
    turns: [
      {
        user: `${slow.ask} Can the ${name} be made faster?`,
        steps: [
          run("node --cpu-prof bench.js", "Profile", "ticks  name\n 812   (garbage collector)\n 377   parse"),
          say(`I measured it. ${slow.cause} Most of the time is spent around \`${names[2]}\`.`),
        ],
      },
      {
        user: pick(["then do it", "ok, try that", "do the simplest thing that helps"]),
        steps: [
          edit(files[0], "before", "after"),
          run("npm run bench", "Measure", passed(pick)),
          say(`${slow.cure} ${pick(CLOSINGS)}`),
        ],
      },
    ],
  }),
  upgrade: ({ name, files, upgrade }, pick) => ({
    title: cap(upgrade.ask.replace(/\.$/, "")),
    turns: [
      {
        user: `${upgrade.ask} The ${name} uses it.`,
        steps: [
          run("npm outdated", "Look", "Package  Current  Wanted  Latest"),
          say(`I read the migration guide. ${upgrade.broke}`),
          edit(files[0], "old call", "new call"),
          run("npm test", "Test", passed(pick)),
          say(`${upgrade.cure} ${pick(CLOSINGS)}`),
        ],
      },
      commit(pick, "Upgrade dependencies"),
    ],
  }),
  tests: ({ name, files, names }, pick) => ({
    title: cap(`tests for the ${name}`),
    turns: [
      {
        user: pick([
          `Write tests for the ${name}.`,
          `The ${name} has hardly any tests, add some for the odd cases.`,
        ]),
        steps: [
          read(files[0]),
          read(files[1]),
          edit(files[1], "", `describe("${names[0]}")\nit("fails loudly when ${names[2]} is missing")`),
          run("npm test -- --coverage", "Test", `${passed(pick)}\n${files[0]} | 94.1 | 88.2 |`),
          say(
            `I added tests for empty input, for the limits and for a failing dependency of the ${name}. \`${names[1]}\` is covered to the last branch. ${pick(ASIDES)}`,
          ),
        ],
      },
      commit(pick, `Test the ${name}`),
    ],
  }),
  rename: ({ name, files, names }, pick) => ({
    title: cap(`clean up the ${name}`),
    turns: [
      {
        user: pick([
          `Clean up the ${name}: the names are confusing and the file is too long.`,
          `Refactor the ${name} without changing what it does.`,
        ]),
        steps: [
          read(files[0]),
          edit(files[0], `handle_${names[0]}_2`, names[0]),
          edit(files[2], "", `export { ${names[1]} }`),
          run("npm run lint && npm test", "Check", passed(pick)),
          say(
            `\`${names[1]}\` moved to ${files[2]}, dead code is gone and the functions say what they do. Behaviour is the same. ${pick(CLOSINGS)}`,
          ),
        ],
      },
      commit(pick, `Tidy the ${name}`),
    ],
  }),
  explain: ({ name, does, files, names }, pick) => ({
    title: cap(`how does the ${name} work?`),
    turns: [
      {
        user: pick([
          `Explain how the ${name} works, I am new here.`,
          `What does the ${name} do and where does it live?`,
        ]),
        steps: [
          read(files[0]),
          say(
            `The ${name} ${does}. It lives in ${files[0]}; the entry is \`${names[0]}\`, which asks \`${names[1]}\` and leaves the rest to ${files[2]}. \`${names[2]}\` is read from the settings. ${pick(ASIDES)}`,
          ),
        ],
      },
      {
        user: "write that into the README",
        steps: [
          edit("README.md", "", `## ${cap(name)}`),
          say(`The README has a section about the ${name} now.`),
        ],
      },
    ],
  }),
  review: ({ name, files, names }, pick) => ({
    title: cap(`review of the ${name}`),
    turns: [
      {
        user: pick([
          `Review my changes to the ${name}.`,
          `Look over the ${name} branch before I merge it, be strict.`,
        ]),
        steps: [
          run("git diff main --stat", "Look", `${files[0]} | 48 +++++---\n${files[1]} | 20 ++`),
          say(
            `Three remarks on the ${name}: \`${names[0]}\` swallows an error, the name \`${names[1]}\` promises more than it does, and ${files[1]} sleeps instead of waiting for the event. Nothing blocks the merge. ${pick(ASIDES)}`,
          ),
        ],
      },
      {
        user: pick(["fix the first one", "fix all three please"]),
        steps: [
          edit(files[0], "catch {}", "catch (error) { report(error) }"),
          run("npm test", "Test", passed(pick)),
          say(pick(CLOSINGS)),
        ],
      },
    ],
  }),
};

export const ACTIVITIES = Object.keys(TELL) as Activity[];

export const talkAbout = (component: Component, activity: Activity, pick: Pick): Talk =>
  TELL[activity](component, pick);
