import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createOutgoingRedactor } from "./outgoing.ts";

const KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

describe("a YAML file without its secrets", () => {
  const redactor = createOutgoingRedactor({ key: new Uint8Array(32) });
  const mark = redactor.text(KEY);

  it.each([
    `name: Deploy with ${KEY} today\ncwd: /srv\n`,
    `name: ${KEY}\ncwd: /srv\n`,
    `name: "Say \\"${KEY}\\""\ncwd: /srv\n`,
    `name: 'It''s ${KEY}'\ncwd: /srv\n`,
    `summary: |\n  With ${KEY}\n  and more\ncwd: /srv\n`,
    `list:\n  - ${KEY}\n  - other\ncwd: /srv\n`,
    `name: Deploy C:\\work with ${KEY} "quoted"\ncwd: /srv\n`,
  ])("says the same otherwise: %j", (text) => {
    const after = redactor.yaml(text);
    expect(after).not.toContain(KEY);
    expect(parse(after)).toEqual(JSON.parse(JSON.stringify(parse(text)).replaceAll(KEY, mark)));
  });

  it("is left alone where it has none", () => {
    const text = "name: [a, b]\nother: x # [redacted: key 0123abcd]\n";
    expect(redactor.yaml(text)).toBe(text);
  });
});
