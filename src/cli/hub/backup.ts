/** `rethread hub backup` and `hub restore`. */
import { bytes, plural } from "../../present/text/measure.ts";
import { refuseOthers } from "../action-args.ts";
import { HUB_ARGS } from "../commands/serve/hub.ts";
import { type HubAct, operatorOptions, required } from "./called.ts";

const load = () => import("../../app/hub/backup.ts");

export const backup: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseOthers("hub backup", HUB_ARGS, args, ["databaseUrl", "what", "portable"]);
  const file = required(args.what, "a file", "backup <file>");
  const { backupHub } = await load();
  const made = await backupHub(config, operatorOptions(called), { file, isPortable: args.portable });
  if (args.json) out.json({ ...made });
  else {
    out.line(`${made.file} has the whole hub (${bytes(made.bytes)}).`);
    out.note("It holds everything that people have pushed: keep it where only operators can read it.");
  }
  return 0;
};

export const restore: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseOthers("hub restore", HUB_ARGS, args, ["databaseUrl", "what"]);
  const file = required(args.what, "the file of a backup", "restore <file>");
  const { restoreHub } = await load();
  const { hub, ...from } = await restoreHub(config, operatorOptions(called), file);
  const { people, sessionCount } = hub;
  if (args.json) out.json({ ...from, people, sessionCount });
  else {
    out.line(
      `The hub is back, with ${plural(people, "user", "users")} and ${plural(sessionCount, "session", "sessions")}. Tokens work as before.`,
    );
  }
  return 0;
};
