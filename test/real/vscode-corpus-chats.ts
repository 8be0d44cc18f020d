/** Chats that are special as a whole: how their turns ended, what the model is told of them, what they are about. */
import type { Chat } from "./vscode-corpus.ts";
import { agentTurn, SOME_TIME, uri } from "./vscode-corpus-turns.ts";
import { type Json, markdown, message, turn, without } from "./vscode-templates.ts";

const chat = (turns: Json[], more: Json = {}): Chat => ({ turns, more });
const hello = (more: Json = {}): Json => turn(1, "hello", [markdown("world")], more);
const hello2 = turn(2, "Go on", [markdown("Going on.")]);

export const WHOLE_CHATS: Record<string, Chat> = {
  "one question, one answer": chat([hello()]),
  "a question without an answer": chat([without(hello(), "response", "result", "responseId", "modelState")]),
  "several turns, two of them equal": chat([
    hello(),
    turn(2, "again", [markdown("Yes.")]),
    turn(3, "again", [markdown("Yes.")]),
    turn(4, "bye", [markdown("Good bye.")]),
  ]),
  "no title": chat([hello(), hello2], { customTitle: undefined }),
  "a summary in place of what was before": chat([
    agentTurn(1, "Begin", ["Begun.", { name: "read_file", result: "text" }, "Read."]),
    agentTurn(2, "Continue", ["Continued."], {
      metadata: { summary: { toolCallRoundId: "round-1-1", text: "Something was begun." } },
    }),
    agentTurn(3, "End", ["Ended."]),
  ]),
  "state that a server keeps": chat([
    agentTurn(1, "Remember me", ["I will."], {
      metadata: {
        toolCallRounds: [
          {
            id: "r",
            response: "I will.",
            toolCalls: [],
            toolInputRetry: 0,
            statefulMarker: { modelId: "gpt-5", marker: "resp_1" },
            phase: "final_answer",
          },
        ],
      },
    }),
    agentTurn(2, "Do you?", ["I do."]),
  ]),
  "cancelled and pending turns": chat([
    hello({ modelState: { value: 2, completedAt: SOME_TIME + 1500 } }),
    turn(2, "the old way", [], { isCanceled: true, modelState: undefined }),
    turn(3, "still running", [markdown("So f")], { modelState: { value: 0 }, result: undefined }),
    turn(4, "asking", [markdown("May I?")], { modelState: { value: 4 }, result: undefined }),
  ]),
  "failed turns": chat([
    hello({
      modelState: { value: 3, completedAt: SOME_TIME + 1500 },
      result: {
        errorDetails: { message: "Sorry, the server is gone.", code: "failed" },
        timings: { totalElapsed: 9 },
      },
    }),
    turn(2, "filtered", [], {
      result: { errorDetails: { message: "Filtered.", responseIsFiltered: true }, metadata: {} },
    }),
    turn(3, "too much", [], { result: { errorDetails: { message: "Quota.", isQuotaExceeded: true } } }),
    turn(4, "the old way", [], { responseErrorDetails: { message: "Gone." } }),
  ]),
  "turns that are hidden": chat([
    hello(),
    turn(2, "undone", [markdown("Changed.")], { shouldBeRemovedOnSend: { requestId: "request_2" } }),
    turn(3, "undone once", [], { isHidden: true }),
    turn(4, "not shown", [markdown("ok")], { hiddenFromTranscript: true }),
  ]),
  "usage, modes and models": chat([
    hello({
      modelId: "copilot/auto",
      modelConfiguration: { reasoningEffort: "high" },
      modeInfo: {
        kind: "agent",
        isBuiltin: false,
        modeId: "custom",
        modeInstructions: {
          name: "reviewer",
          content: "Be strict",
          toolReferences: [],
          uri: uri("/srv/app/r.md"),
        },
      },
      promptTokens: 1200,
      completionTokens: 34,
      outputBuffer: 100,
      promptTokenDetails: [{ category: "System", label: "Tools", percentageOfPrompt: 40 }],
      copilotCredits: 1,
      elapsedMs: 500,
      timeSpentWaiting: 5,
    }),
  ]),
  "the state of a repository": chat([hello()], {
    repoData: {
      workspaceType: "local-git",
      syncStatus: "unpushed",
      remoteUrl: "https://example.test/owner/name.git",
      localBranch: "topic",
      headCommitHash: "0".repeat(40),
      diffs: [
        { relativePath: "a.ts", changeType: "modified", status: "M", unifiedDiff: "@@ -1 +1 @@\n-a\n+b\n" },
      ],
      diffsStatus: "included",
    },
  }),
};

/** Documents as VS Code wrote them before its logs. */
export const OLD_CHATS: Record<string, Chat> = {
  "a document of version 1": chat([hello(), hello2], { version: undefined, customTitle: undefined }),
  "a document of version 2": chat([hello()], { version: 2, customTitle: undefined, computedTitle: "Once" }),
  "plain texts": chat([hello({ message: "hello", response: ["world"], responseId: undefined }), hello2]),
  "names and pictures of both": chat([hello({ message: message("hello") })], {
    requesterUsername: "dev",
    requesterAvatarIconUri: uri("/avatar"),
    responderAvatarIconUri: { id: "copilot" },
    lastMessageDate: SOME_TIME,
    isImported: false,
  }),
};
