/** Collects a session's metadata while its events stream by. */
import type { Artifact, Event, Session, Sidecar } from "../../../model/session/session.ts";
import { startsTurn } from "../../../model/session/turns.ts";
import { toShell } from "../../../model/text/shell-words.ts";
import { toRepositoryName } from "../../../model/values/repository.ts";
import { toIso } from "../../../model/values/time.ts";
import { handedTo, type NotedOrigin, originIn } from "../../handed-work.ts";
import { asNumber, asObject, asString, type JsonObject, titleFrom } from "../../log/jsonl.ts";
import { launch } from "../launch.ts";
import { extensionVersionOf } from "../response/notes.ts";
import { type RepoContext, repoContextIn } from "./repo-context.ts";

export interface Head {
  /** What the file says of the session as a whole. */
  tell(head: JsonObject): void;
  /** What a turn says of the repository, in what was sent to the model, and of the program. */
  turn(value: JsonObject): void;
  add(event: Event): void;
  problem(): void;
  producer(version: string | undefined): void;
  sidecars(found: readonly Sidecar[]): void;
  end(id: string): Session;
}

export function createHead(artifact: Artifact, workspace: string | undefined): Head {
  let parsed: JsonObject = {};
  let firstPrompt: string | undefined;
  let firstTime: string | undefined;
  let lastTime: string | undefined;
  let turns = 0;
  let problems = 0;
  let producer: string | undefined;
  let sent: RepoContext = {};
  let origin: NotedOrigin | undefined;
  let sidecars: readonly Sidecar[] = [];
  const models = new Set<string>();

  const titleOf = (): string => {
    const own =
      asString(parsed.customTitle) ?? (parsed.version === 2 ? asString(parsed.computedTitle) : undefined);
    return own || artifact.listed?.title || titleFrom(firstPrompt ?? "") || "Untitled chat";
  };

  return {
    tell(head) {
      parsed = head;
    },
    turn(value) {
      sent = { ...sent, ...repoContextIn(value) };
      producer = extensionVersionOf(value) ?? producer;
      origin ??= originIn(asObject(asObject(value.result)?.metadata));
    },
    add(event) {
      if (startsTurn(event)) turns++;
      // As VS Code does, even where that prompt is blank.
      if (event.kind === "prompt" && event.agent === undefined) firstPrompt ??= event.text;
      if ("model" in event && event.model !== undefined) models.add(event.model);
      if (event.time === undefined) return;
      firstTime ??= event.time;
      if (lastTime === undefined || event.time > lastTime) lastTime = event.time;
    },
    problem() {
      problems++;
    },
    producer(version) {
      producer = version;
    },
    sidecars(found) {
      sidecars = found;
    },
    end(id) {
      const repo = asObject(parsed.repoData) ?? {};
      const repository = toRepositoryName(asString(repo.remoteUrl) ?? "") ?? sent.repository;
      const branch = asString(repo.localBranch) || sent.branch;
      const createdAt = toIso(asNumber(parsed.creationDate)) ?? firstTime;
      const updatedAt = lastTime ?? toIso(asNumber(parsed.lastMessageDate)) ?? createdAt;
      const userName = asString(parsed.requesterUsername);
      const agentName = asString(parsed.responderUsername);
      const place = workspace ?? artifact.listed?.workspace;
      return {
        source: artifact.source,
        id,
        title: titleOf(),
        turns,
        problems,
        models: [...models],
        path: artifact.path,
        bytes: artifact.fingerprint.size,
        ...(place !== undefined && { workspace: place }),
        ...(place !== undefined &&
          artifact.listed?.state !== "ghost" && { resume: toShell(launch(artifact.root, place)) }),
        ...(repository !== undefined && { repository }),
        ...(branch !== undefined && { branch }),
        ...(createdAt !== undefined && { createdAt }),
        ...(updatedAt !== undefined && { updatedAt }),
        ...(producer !== undefined && { producer }),
        ...(userName && { userName }),
        ...(agentName && { agentName }),
        ...handedTo(id, origin),
        ...(sidecars.length > 0 && { sidecars }),
      };
    },
  };
}
