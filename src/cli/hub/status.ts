/** `rethread hub status` and `hub reindex`: how a hub is, and making its rows again. */
import type { HubStatus } from "../../app/hub/operator.ts";
import { VERSION } from "../../app/version.ts";
import { amount, bytes, plural } from "../../present/text/measure.ts";
import { refuseOthers } from "../action-args.ts";
import { HUB_ARGS } from "../commands/serve/hub.ts";
import type { Output } from "../output.ts";
import { type HubAct, operatorOptions } from "./called.ts";

const load = () => import("../../app/hub/operator.ts");

export const status: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseOthers("hub status", HUB_ARGS, args, ["databaseUrl"]);
  const { statusOfHub } = await load();
  const found = await statusOfHub(config, operatorOptions(called));
  if (args.json) out.json({ version: VERSION, ...found });
  else show(out, found);
  return 0;
};

function show(out: Output, hub: HubStatus): void {
  const { raw, derived, backfill, schema } = hub;
  const rows: readonly (readonly [string, string])[] = [
    [
      "People",
      listed(
        amount(hub.people),
        hub.revoked > 0 && `${amount(hub.revoked)} revoked`,
        plural(hub.teams, "team", "teams"),
        plural(hub.machines, "machine", "machines"),
      ),
    ],
    [
      "Sessions",
      listed(
        amount(hub.sessionCount),
        plural(hub.turns, "turn", "turns"),
        `${amount(hub.shared)} shared with a team`,
        hub.sealed > 0 && `${amount(hub.sealed)} sealed`,
      ),
    ],
    [
      "Pushed",
      listed(
        plural(raw.files, "file", "files"),
        plural(raw.events, "event", "events"),
        `${bytes(raw.bytes)} before compression`,
      ),
    ],
    [
      "On disk",
      listed(
        `${bytes(raw.diskBytes)} pushed`,
        `${bytes(derived.diskBytes)} derived`,
        `${bytes(hub.databaseBytes)} in all`,
      ),
    ],
    [
      "Backfill",
      listed(
        `${amount(backfill.waiting)} waiting`,
        backfill.active > 0 && `${amount(backfill.active)} under way`,
        `${amount(backfill.failed)} failed`,
        backfill.behind > 0 && `${plural(backfill.behind, "session", "sessions")} behind`,
        backfill.oldestSeconds > 0 && `the oldest for ${amount(backfill.oldestSeconds)} s`,
      ),
    ],
    ["Version", listed(VERSION, `schema ${schema.at(-1) ?? "none"}`, `PostgreSQL ${hub.postgres}`)],
  ];
  for (const [name, text] of rows) out.line(`${out.style.dim(name.padEnd(10))}${text}`);
  for (const { reason, count } of backfill.failures) out.line(`  ${amount(count)} × ${reason}`);
}

const listed = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(", ");

export const reindex: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseOthers("hub reindex", HUB_ARGS, args, ["databaseUrl", "what"]);
  const { reindexHub } = await load();
  const queued = await reindexHub(config, operatorOptions(called), args.what);
  if (args.json) out.json({ queued });
  else {
    out.line(`The rows of ${plural(queued, "session", "sessions")} will be made again.`);
    out.note("A hub that is served works on them; `rethread hub status` shows how far it is.");
  }
  return 0;
};
