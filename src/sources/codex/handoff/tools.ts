/** Codex CLI's tools and what they do. Evidence: the tools that the program offers to its models (0.169.0), and older logs. */
import type { Act, ToolVocabulary, VendorCall } from "../../../model/handoff/act.ts";
import { createTodoWords, createVocabulary, type ToolReader } from "../../handoff.ts";
import { asString } from "../../log/jsonl.ts";
import { commandIn } from "../tool-actions.ts";
import { commandToLook, lookOf } from "./looks.ts";
import { actOfPatch, patchToEdit, patchToWrite } from "./patches.ts";

/** A patch may also be given to a command of that name. */
const PATCH_COMMAND = /^apply_?patch\s+<<\s*(['"]?)(\w+)\1\n([\s\S]*)\n\2\s*$/;

function actOfCommand(command: string | undefined): Act | undefined {
  if (command === undefined) return undefined;
  const patch = PATCH_COMMAND.exec(command)?.[3];
  return patch === undefined ? (lookOf(command) ?? { kind: "shell", command }) : actOfPatch(patch);
}

const shell = (name: string, key: string): Readonly<Record<string, ToolReader>> => ({
  [name]: { keys: [key], read: (input) => actOfCommand(commandIn(name, input)) },
});

const words = createTodoWords("step", { open: "pending", active: "in_progress", done: "completed" });

const run = (command: string | undefined): VendorCall | undefined =>
  command === undefined ? undefined : { name: "exec_command", input: { cmd: command } };

const patch = (text: string | undefined): VendorCall | undefined =>
  text === undefined ? undefined : { name: "apply_patch", input: text };

/** What the program shows to its model, and does not print. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

const vocabulary = createVocabulary(
  {
    ...shell("exec_command", "cmd"),
    ...shell("shell_command", "command"),
    ...shell("shell", "command"),
    ...shell("container.exec", "command"),
    ...shell("local_shell", "command"),
    apply_patch: {
      keys: ["input"],
      read({ input }) {
        const text = asString(input);
        return text === undefined ? undefined : actOfPatch(text);
      },
    },
    update_plan: {
      keys: ["plan", "explanation"],
      read({ plan }) {
        const items = words.items(plan);
        return items && { kind: "todo", items };
      },
    },
    view_image: {
      keys: ["path"],
      read: ({ path }) => (typeof path === "string" ? { kind: "read", path } : undefined),
    },
  },
  {
    shell: ({ command }) => run(command),
    read: (act, workspace) =>
      PICTURE.test(act.path) && act.from === undefined && act.to === undefined
        ? { name: "view_image", input: { path: act.path } }
        : run(commandToLook(act, workspace)),
    search: (act, workspace) => run(commandToLook(act, workspace)),
    find: (act, workspace) => run(commandToLook(act, workspace)),
    list: (act, workspace) => run(commandToLook(act, workspace)),
    write: (act) => patch(patchToWrite(act)),
    edit: (act) => patch(patchToEdit(act)),
    patch: ({ text }) => patch(text),
    todo: ({ items }) => ({
      name: "update_plan",
      input: {
        plan: items.map(({ text, status }) => ({
          step: text,
          status: words.wordFor(status),
        })),
      },
    }),
  },
);

export const tools: ToolVocabulary = {
  ...vocabulary,
  /** Patches are given as a text. */
  actOf: (name, input) => vocabulary.actOf(name, typeof input === "string" ? { input } : input),
};
