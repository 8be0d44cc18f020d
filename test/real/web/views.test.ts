/** Each view does its main job by clicks, and by keys alone; on the demo, in a real browser. */
import { describe } from "vitest";
import { useWebApp } from "./app.ts";
import { blame } from "./views/blame.ts";
import { board } from "./views/board.ts";
import { changes } from "./views/changes.ts";
import { everywhere } from "./views/everywhere.ts";
import { home } from "./views/home.ts";
import { lens } from "./views/lens.ts";
import { reports } from "./views/reports.ts";
import { search } from "./views/search.ts";
import { session } from "./views/session.ts";
import { sessions } from "./views/sessions.ts";
import { settings } from "./views/settings.ts";
import { sql } from "./views/sql.ts";
import { steady } from "./views/steady.ts";
import { tree } from "./views/tree.ts";

const app = useWebApp({ words: ["--demo"] });

describe("home", () => home(app));
describe("the list of sessions", () => sessions(app));
describe("a session", () => session(app));
describe("the context lens", () => lens(app));
describe("search", () => search(app));
describe("tree and diff", () => tree(app));
describe("blame", () => blame(app));
describe("SQL", () => sql(app));
describe("changes", () => changes(app));
describe("reports", () => reports(app));
describe("the board", () => board(app));
describe("settings", () => settings(app));
describe("nothing moves once it is seen", () => steady(app));
describe("every view", () => everywhere(app));
