import { expect, it } from "vitest";
import { createStyle } from "../../../present/text/style.ts";
import { printUsers } from "./hub-people.ts";

const page = { style: createStyle(false), columns: 80 };
const now = new Date("2026-11-15T12:00:00.000Z");
const token = (kind: string, expiresAt: string) => ({
  kind,
  scopes: ["push", "read"],
  createdAt: "2026-11-15T11:00:00.000Z",
  expiresAt,
});
const ends = (...tokens: ReturnType<typeof token>[]): string =>
  printUsers([{ name: "robin", teams: [], createdAt: now.toISOString(), tokens }], now, page).join("\n");

it("says when a person's token ends, not when a browser is signed out", () => {
  const [year, tonight] = [
    token("program", "2027-11-15T11:00:00.000Z"),
    token("web", "2026-11-15T23:00:00.000Z"),
  ];
  expect(ends(year, tonight)).toContain("2027-11-15");
  expect(ends(tonight)).toContain("2026-11-15");
});
