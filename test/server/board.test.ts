/** The context board over HTTP: its routes, what they refuse, and that every change is told. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const SHOP = { repository: "acme/shop", branch: "main" };
/** Until the event arrives; `work` causes it. */
async function told(type: string, work: () => Promise<unknown>): Promise<void> {
  const control = new AbortController();
  await new Promise<void>((resolve, reject) => {
    void server.client
      .events({
        signal: control.signal,
        onEvent(event) {
          if (event.type === "ready") work().catch(reject);
          if (event.type === type) resolve();
        },
      })
      .catch(reject);
  }).finally(() => control.abort());
}

describe("the board", () => {
  it("is listed with all that is on it, or for one repository and branch", async () => {
    const { items, repository, others } = await server.client.board({ all: true });
    expect([repository, others]).toEqual([null, 0]);
    expect(items.map(({ name, keptBy }) => `${name} ${keptBy}`)).toEqual([
      "terraform-state-lock copilot-cli",
      "money-in-cents rethread",
      "running-tests rethread",
      "checkout-machine-open-ends rethread",
      "login-rate-limiter copilot-cli",
      "times-are-utc rethread",
    ]);
    const some = await server.client.board({ repo: "storefront", branch: "fix/flaky-login" });
    expect(some).toMatchObject({ repository: "lumen-shop/storefront", branch: "fix/flaky-login", others: 3 });
    expect(some.items.map(({ name }) => name)).toEqual([
      "money-in-cents",
      "running-tests",
      "login-rate-limiter",
    ]);
  });

  it("takes, changes, counts and removes items, and undoes each of that", async () => {
    const { client } = server;
    const added = await client.addBoardItem({ ...SHOP, name: "größe.1", content: "# Größe\n\n1 × 2" });
    expect(added.item).toMatchObject({ ...SHOP, name: "größe.1", description: "Größe", source: "user" });
    const read = await client.getBoardItem({ ...SHOP, name: "größe.1" });
    expect(read.item?.readCount).toBe(1);
    expect((await client.getBoardItem(SHOP)).items).toMatchObject([{ name: "größe.1", useCount: 1 }]);
    const edited = await client.editBoardItem({
      ...SHOP,
      name: "größe.1",
      content: "new",
      updatedAt: added.item.updatedAt ?? "",
    });
    expect(edited.item).toMatchObject({ content: "new", readCount: 1, useCount: 1 });
    const preview = await client.pruneBoard({ ...SHOP, name: "*", dryRun: true });
    expect(preview).toMatchObject({ operation: null, removed: [{ name: "größe.1" }] });
    const { name, updatedAt } = edited.item;
    const pruned = await client.pruneBoard({ items: [{ ...SHOP, name, updatedAt: updatedAt ?? "" }] });
    expect((await client.board({ repo: "acme/shop" })).items).toEqual([]);
    const undone = await client.undoBoard(pruned.operation ?? "");
    expect(undone).toMatchObject({ kind: "undo", undoes: pruned.operation, items: [{ name: "größe.1" }] });
    expect((await client.board({ repo: "acme/shop" })).items).toEqual([edited.item]);
    expect((await client.history()).board.slice(0, 4).map(({ kind }) => kind)).toEqual([
      "undo",
      "prune",
      "edit",
      "add",
    ]);
  });

  it("proposes what sessions suggest, writes what was chosen, and links the evidence", async () => {
    const { client } = server;
    const where = { repository: "lumen-shop/storefront", since: "2020-01-01T00:00:00Z" };
    const { proposals, operation } = await client.consolidateBoard(where);
    expect(operation).toBeNull();
    const decisions = proposals.find(({ kind }) => kind === "decisions");
    expect(decisions?.content).toContain("no library was added, by choice");
    const [evidence] = decisions?.evidence ?? [];
    const session = await client.session(`${evidence?.session.source}:${evidence?.session.id}`);
    expect(session.turns.map(({ index }) => index)).toContain(evidence?.turn);
    const only = [decisions?.id ?? ""];
    const written = await client.consolidateBoard({ ...where, only, apply: true });
    expect(written.operation).toMatch(/^board-/);
    expect((await client.consolidateBoard(where)).proposals).toEqual(
      proposals.filter(({ id }) => id !== decisions?.id),
    );
    await expect(client.consolidateBoard({ ...where, only, apply: true })).rejects.toMatchObject({
      status: 409,
      code: "changed-since",
    });
  });

  it.each([
    ["a secret", { name: "a", content: "API_TOKEN=abc123xyz789" }, 422, "secret-refused"],
    ["a bad name", { name: "a b", content: "x" }, 400, "usage"],
    ["a text with NUL", { name: "a", content: "x\u0000" }, 400, "usage"],
    ["a text that is too long", { name: "a", content: "x".repeat(16_001) }, 400, "usage"],
    ["a name that is taken", { ...SHOP, name: "größe.1", content: "x" }, 409, "board-item-exists"],
    ["a repository that nobody knows", { repository: "nope", name: "a", content: "x" }, 422, "no-repository"],
  ])("refuses %s", async (_, item, status, code) => {
    await expect(server.client.addBoardItem({ ...SHOP, ...item })).rejects.toMatchObject({ status, code });
  });

  it("refuses to change what was changed since, what is not there, and what others keep", async () => {
    const { client } = server;
    const stale = { ...SHOP, name: "größe.1", content: "x", updatedAt: "2020-01-01T00:00:00Z" };
    await expect(client.editBoardItem(stale)).rejects.toMatchObject({ status: 409, code: "changed-since" });
    await expect(client.editBoardItem({ ...SHOP, name: "none", content: "x" })).rejects.toMatchObject({
      status: 404,
      code: "board-item-not-found",
    });
    const vendor = { repository: "lumen-shop/platform", branch: "main", name: "terraform-state-lock" };
    await expect(client.pruneBoard({ items: [vendor] })).rejects.toMatchObject({
      status: 403,
      code: "board-read-only",
    });
  });
});

describe("changes", () => {
  it("are told, whichever process makes them", async () => {
    await told("board-changed", async () =>
      (await server.app.board()).add({ ...SHOP, name: "told", content: "x" }),
    );
    await told("board-changed", () => server.client.getBoardItem({ ...SHOP, name: "told" }));
    expect((await server.client.board({ repo: "acme/shop" })).items).toContainEqual(
      expect.objectContaining({ name: "told", readCount: 1 }),
    );
  });
});
