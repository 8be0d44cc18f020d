import { describe, expect, it } from "vitest";
import { AppError } from "../../model/errors.ts";
import type { Artifact, Session, SourceId } from "../../model/session/session.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { MoveRequest } from "../../sources/requests.ts";
import { type MoveOf, type MovingParts, planMoves } from "./move.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");

/** Sessions of programs that can move theirs, can only change them otherwise, or cannot change them at all. */
function createParts(sessions: readonly [SourceId, string, string][]) {
  const artifacts = sessions.map(
    ([source, id]) => ({ source, id, path: `/${id}`, root: "/", fingerprint: { size: 10 } }) as Artifact,
  );
  const requests: [string, MoveRequest][] = [];
  const told: [number, number][] = [];
  const parts: MovingParts = {
    catalog: {
      sources: [
        { source: "vscode", label: "VS Code" },
        { source: "claude-code", label: "Claude Code" },
      ],
      scan: async () => ({ artifacts, problems: [] }),
      editing: async ({ source }: Artifact) => {
        if (source === "claude-code") throw new AppError("not-supported", "", "");
        return { editor: source === "copilot-cli" ? { moves: { move: () => undefined } } : {} };
      },
    } as unknown as Catalog,
    titles: async (all) =>
      all.map((artifact, index) => ({
        artifact,
        session: { workspace: sessions[index]?.[2], title: artifact.id } as Session,
      })),
    folder: "/home/dev/src",
    now: NOW,
    progress: (done, total) => void told.push([done, total]),
    find: async (name) => ({ artifact: artifacts.find(({ id }) => id === name) as Artifact }),
    async plan({ source, id, path }, request, progress) {
      requests.push([id, request]);
      progress?.(1, 2);
      const session = { source, id, path };
      const counts = { toolCalls: 1, attachments: 2, fileStates: 3, others: 4, mentions: 5 };
      const move = { from: request.from ?? "", to: request.to, isHere: true, ...counts, withText: false };
      const plan = {
        kind: "move" as const,
        title: id,
        from: { source, id },
        session,
        closed: [session],
        move,
      };
      const isThere = sessions.find(([, named]) => named === id)?.[2] === request.to;
      const steps = isThere ? [] : [{ does: "remove" as const, path }];
      return { ...plan, hideout: "/h", basis: [], steps, losses: [] };
    },
  };
  return { parts, requests, told, move: (request: MoveOf) => planMoves(request, parts) };
}

describe("a folder to move to", () => {
  it.each([
    ["../code", "/home/dev/code"],
    ["/srv/shop/", "/srv/shop"],
    ["D:\\code\\shop\\", String.raw`D:\code\shop`],
    [String.raw`D:\code\..\shop`, String.raw`D:\shop`],
    ["/", "/"],
  ])("written %s is %s", async (written, meant) => {
    const { move, requests } = createParts([["copilot-cli", "a", "/src"]]);
    await move({ session: "a", to: written, text: true });
    expect(requests).toEqual([["a", { to: meant, text: true, now: NOW }]]);
  });
});

describe("several sessions", () => {
  it("go together, each from its own folder", async () => {
    const { move, requests } = createParts([
      ["copilot-cli", "a", "/src/shop"],
      ["copilot-cli", "b", "/src/garden"],
      ["copilot-cli", "c", "/src/garden"],
    ]);
    const plan = await move({ session: ["c", "a"], to: "/code", text: false });
    expect(requests.map(([id, { from, to }]) => [id, from, to])).toEqual([
      ["c", undefined, "/code"],
      ["a", undefined, "/code"],
    ]);
    expect(plan).toMatchObject({ title: "2 sessions", session: { id: "c" }, also: [{ id: "a" }] });
  });
});

describe("all sessions of a folder", () => {
  it("are those at and below it, whoever can move them; the others are told of", async () => {
    const { move, requests, told } = createParts([
      ["copilot-cli", "at", "/src/shop"],
      ["copilot-cli", "below", "/src/shop/api"],
      ["copilot-cli", "beside", "/src/shop-2"],
      ["vscode", "v", "/src/shop"],
      ["claude-code", "c1", "/src/shop"],
      ["claude-code", "c2", "/src/shop/api"],
    ]);
    const plan = await move({ from: "/src/shop/", to: "/code", text: false });
    expect(requests.map(([id, { from }]) => [id, from])).toEqual([
      ["at", "/src/shop"],
      ["below", "/src/shop"],
    ]);
    expect(plan.losses).toEqual([
      "1 session of VS Code, which rethread cannot move yet",
      "2 sessions of Claude Code, which rethread cannot move yet",
    ]);
    expect(plan.title).toBe("2 sessions");
    expect(plan.move).toEqual({
      from: "/src/shop",
      to: "/code",
      isHere: true,
      toolCalls: 2,
      attachments: 4,
      fileStates: 6,
      others: 8,
      mentions: 10,
      withText: false,
      sessions: [
        { source: "copilot-cli", id: "at", title: "at" },
        { source: "copilot-cli", id: "below", title: "below" },
      ],
    });
    expect(told).toEqual([
      [5, 20],
      [15, 20],
    ]);
  });

  it("move without those that are there already, which are told of", async () => {
    const { move } = createParts([
      ["copilot-cli", "there", "/src/shop"],
      ["copilot-cli", "below", "/src/shop/api"],
    ]);
    const plan = await move({ from: "/src/shop", to: "/src/shop", text: false });
    expect(plan).toMatchObject({
      title: "1 session",
      session: { id: "below" },
      also: [],
      losses: ["1 session, which is there already"],
      move: { toolCalls: 1, mentions: 5, sessions: [{ id: "below" }] },
    });
  });

  it("are an error where there are none, or none that can be moved", async () => {
    const { move } = createParts([["vscode", "v", "/src/shop"]]);
    await expect(move({ from: "/src/shop", to: "/code", text: false })).rejects.toThrow(
      "The session of /src/shop cannot be moved yet",
    );
    await expect(move({ from: "/elsewhere", to: "/code", text: false })).rejects.toThrow(
      "No session belongs to /elsewhere or a folder below it",
    );
  });

  it.each(["/", "C:\\"])("may not be all of a disk: %s", async (from) => {
    const { move } = createParts([["copilot-cli", "a", "/src"]]);
    await expect(move({ from, to: "/code", text: false })).rejects.toMatchObject({ code: "usage" });
  });
});
