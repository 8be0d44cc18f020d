/** Says which repositories, folders and sessions may leave this machine. */
import type { SyncApp, SyncStatus } from "../../app/sync/contract.ts";
import { AppError } from "../../model/errors.ts";
import { toRulesJson } from "../../present/json/sync.ts";
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { syncRules as ruleFields } from "../schemas/sync.ts";

export const RULE_EFFECTS = ["allow", "deny", "seal", "forget"] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

export const syncRules = defineOperation({
  name: "sync-rules",
  kind: "change",
  summary: "Allow, deny or seal what may be sent to the hub, by repository, folder or session",
  input: (z) =>
    z.strictObject({
      effect: z
        .enum(RULE_EFFECTS)
        .describe("`seal` sends it so that the hub cannot read it; `forget` removes the rule"),
      repositories: z
        .array(z.string().min(1))
        .exactOptional()
        .describe("owner/name; `*` stands for any part"),
      folders: z.array(z.string().min(1)).exactOptional().describe("for sessions without a repository"),
      sessions: z.array(sessionName(z)).exactOptional(),
    }),
  output: (z) =>
    z.object({
      ...ruleFields(z),
      waiting: z.int().describe("how many sessions the next push would send"),
    }),
  async run(app, { effect, repositories = [], folders = [], sessions = [] }, call): Promise<SyncStatus> {
    const sync = await app.sync();
    if (repositories.length + folders.length > 0 || sessions.length === 0)
      await sync.setRules({ effect: RULES[effect], repositories, folders }, call);
    if (sessions.length > 0) await sync.setPrivate({ sessions, mode: modeOf(effect) }, call);
    return sync.status(call);
  },
  toJson: (status) => ({ ...toRulesJson(status), waiting: status.waiting }),
});

const RULES = { allow: "allow", deny: "deny", seal: "sealed", forget: "off" } as const satisfies Readonly<
  Record<RuleEffect, Parameters<SyncApp["setRules"]>[0]["effect"]>
>;

function modeOf(effect: RuleEffect): Parameters<SyncApp["setPrivate"]>[0]["mode"] {
  if (effect === "allow")
    throw new AppError(
      "usage",
      "A session may leave when its repository or folder may; it cannot be allowed by itself",
      "Allow its repository, or lift what was said about the session: rethread sync forget --session <session>",
    );
  return ({ deny: "never", seal: "sealed", forget: "off" } as const)[effect];
}
