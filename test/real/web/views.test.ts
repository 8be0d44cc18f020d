/** Each view does its main job by clicks, and by keys alone; on the demo, in a real browser. */
import { describe } from "vitest";
import { useWebApp } from "./app.ts";
import { everywhere } from "./views/everywhere.ts";
import { sessions } from "./views/sessions.ts";

const app = useWebApp({ words: ["--demo"] });

describe("the list of sessions", () => sessions(app));
describe("every view", () => everywhere(app));
