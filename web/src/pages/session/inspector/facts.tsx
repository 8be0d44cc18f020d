/** What is known about the session as a whole. */
import type { ReactNode } from "react";
import { amount, bytes, moment } from "../../../../../src/present/text/measure.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { sourceOf } from "../../../lib/sources.ts";
import { clean } from "../../../text/clean.ts";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";

export type Fact = readonly [string, ReactNode];

export function Facts({ first = [] }: { /** What matters more. */ readonly first?: readonly Fact[] }) {
  const { session, outline } = useReading();
  const calls = outline.turns.reduce((sum, { toolCalls }) => sum + toolCalls, 0);
  const failed = outline.turns.reduce((sum, { failedCalls }) => sum + failedCalls, 0);
  const facts: Fact[] = [
    ...first,
    ["Source", sourceOf(session.source).label],
    ["Models", session.models.map(clean).join(", ")],
    ["Tool calls", calls > 0 && `${amount(calls)}${failed > 0 ? `, ${amount(failed)} failed` : ""}`],
    ["Size", bytes(session.bytes)],
    ["Started", session.createdAt && moment(session.createdAt)],
    ["Last active", session.updatedAt && moment(session.updatedAt)],
    ["Branch", session.branch && clean(session.branch)],
    ["Folder", session.workspace && <Copied text={session.workspace} what="Path" />],
    ["Written by", session.producer && clean(session.producer)],
    ["Open in", session.openIn !== null && `process ${session.openIn}`],
    // Of another machine, where nobody here can open it.
    ["File", session.person === undefined && <Copied key="file" text={session.path} what="Path" />],
    ["Id", <Copied key="id" text={session.id} what="Id" />],
  ];
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value !== "" && value !== null && value !== false && value !== undefined)
        .map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <button type="button" title="Copy" onClick={() => void copyText(text, what)}>
    {clean(text)}
  </button>
);
