#!/usr/bin/env node
/**
 * The entry. It holds nothing that an old Node could stumble over, so that there it can still say one clear sentence;
 * everything else is imported once the version is known to be good.
 */
import * as nodeModule from "node:module";
import { join } from "node:path";
import { ANSWER_QUERY, COMPLETE, loadWithKeptCode, RUN_JOB, THREAD, WORK } from "../app/self.ts";

/** The file of the bundle that holds what most commands begin with; the build puts its name here. */
declare const START_FILE: string | undefined;

const NEEDED = 24;
const running = Number(process.versions.node.split(".")[0]);

if (running < NEEDED) {
  process.stderr.write(
    `rethread needs Node ${NEEDED} or newer, but this is Node ${process.versions.node}. Get it from https://nodejs.org\n`,
  );
  process.exitCode = 2;
} else {
  nodeModule.enableCompileCache?.();
  void start(process.argv.slice(2));
}

/** No `await` at the top: the bundle is CommonJS, where there is none. */
async function start(words: readonly string[]): Promise<void> {
  // A thread of the bundle loads this file for what it has in common with others.
  if (words[0] === THREAD) return;
  if (words[0] === ANSWER_QUERY) {
    (await import("../app/answer-query.ts")).answerQuery();
  } else if (words[0] === COMPLETE) {
    await (await import("./completing.ts")).answerCompletion(words.slice(1));
  } else if (words[0] === WORK) {
    (await import("../server/workers/work.ts")).work();
  } else if (words[0] === RUN_JOB) {
    await (await import("./job-process.ts")).runJobProcess(words.slice(1));
  } else {
    if (typeof START_FILE === "string")
      loadWithKeptCode(
        join(import.meta.dirname, START_FILE),
        words.find((word) => !word.startsWith("-")) ?? "overview",
      );
    const { run } = await import("./run.ts");
    process.exitCode = await run(words);
  }
}
