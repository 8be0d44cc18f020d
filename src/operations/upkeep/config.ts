/** The settings: what they are, and changing one. */
import type { SettingList } from "../../app/contract.ts";
import { defineOperation, type Zod } from "../operation.ts";

const settings = (z: Zod) =>
  z.object({
    path: z.string().describe("config.json, whether or not it exists"),
    settings: z.array(
      z.object({
        name: z.string(),
        value: z.unknown().describe("what holds now"),
        default: z.unknown(),
        from: z.enum(["default", "file", "variable"]).describe("where the value comes from"),
        variable: z.string().nullable().describe("the environment variable that overrides it, or null"),
      }),
    ),
  });

const toJson = ({ path, settings: all }: SettingList) => ({
  path,
  settings: all.map(({ variable = null, ...setting }) => ({ ...setting, variable })),
});

export const config = defineOperation({
  name: "config",
  kind: "question",
  summary: "List the settings, their values, and where these come from",
  input: (z) => z.strictObject({ name: z.string().exactOptional().describe("only this one") }),
  output: settings,
  run: (app, { name }, call) => app.settings(name, call),
  toJson,
});

export const configSet = defineOperation({
  name: "config-set",
  kind: "change",
  summary: "Change one setting in config.json",
  input: (z) =>
    z.strictObject({
      name: z.string().min(1),
      value: z.string().describe("as it is typed: true, 90, keep, 500 MB"),
    }),
  output: settings,
  run: (app, { name, value }, call) => app.setSetting(name, value, call),
  toJson,
});
