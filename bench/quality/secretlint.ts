/** The well-kept library for secrets in texts, as a yardstick: what it finds is replaced by stars. */
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

const ID = "@secretlint/secretlint-rule-preset-recommend";
const config = { rules: [{ id: ID, rule: creator }] };

/** Texts of any origin could switch it off. */
const DIRECTIVE = /secretlint-(?=disable|enable)/g;

export interface Masked {
  readonly text: string;
  readonly alarms: number;
}

export async function maskText(text: string): Promise<Masked> {
  const { messages } = await lintSource({
    source: { content: text.replace(DIRECTIVE, "secretlint_"), filePath: "text.txt", contentType: "text" },
    options: { config, noPhysicFilePath: true },
  });
  let masked = text;
  for (const { range } of messages.toSorted((a, b) => b.range[0] - a.range[0]))
    masked = `${masked.slice(0, range[0])}***${masked.slice(range[1])}`;
  return { text: masked, alarms: messages.length };
}

/** A record: each of its texts by itself, without the escapes of JSON, so that it gets the best of them. */
export async function maskRecord(line: string): Promise<string> {
  const texts: string[] = [];
  const take = (_: string, value: unknown): unknown =>
    typeof value === "string" ? texts.push(value) - 1 : value;
  const shape = JSON.stringify(JSON.parse(line, take));
  const masked: string[] = [];
  for (const text of texts) masked.push((await maskText(text)).text);
  return `${shape}\n${masked.join("\n")}`;
}
