/** The record of the log that a part was read from, as it was written. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { Origin } from "../../../../src/model/session/session.ts";
import { amount, bytes } from "../../../../src/present/text/measure.ts";
import { Failure } from "../../change/failure.tsx";
import { api } from "../../lib/api.ts";
import { clean } from "../../text/clean.ts";
import { CodeBlock } from "../../text/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { useReading } from "./reading.ts";

export interface RecordRequest {
  readonly origin: Origin;
  readonly about: string;
}

export function RecordDialog({
  request: { origin, about },
  onClose,
}: {
  readonly request: RecordRequest;
  readonly onClose: () => void;
}) {
  const { key } = useReading();
  const { line, file } = origin;
  const { data, error, refetch } = useQuery({
    queryKey: ["session", key, "record", line, file ?? null],
    queryFn: ({ signal }) => api.record(key, line, file === undefined ? {} : { file }, { signal }),
  });
  const body = useRef<HTMLDivElement>(null);
  const text = useMemo(() => pretty(data?.text ?? "", origin.at), [data?.text, origin.at]);
  return (
    <Dialog
      title={clean(about)}
      description={
        <>
          Line {amount(line)}
          {file !== undefined && ` of ${file}`}
          {data && ` · ${bytes(data.bytes)}${data.cut ? ", only the beginning is shown" : ""}`}
          {origin.at && ` · at ${origin.at.join(".")}`}
        </>
      }
      size="large"
      onClose={onClose}
      initialFocus={() => body.current}
    >
      <div ref={body} tabIndex={-1}>
        {error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : data ? (
          <CodeBlock code={clean(text)} language="json" />
        ) : (
          <Skeleton rows={4} />
        )}
      </div>
    </Dialog>
  );
}

/** Indented where it is JSON; the part alone where the record holds a whole session. */
function pretty(text: string, at: Origin["at"]): string {
  try {
    const whole: unknown = JSON.parse(text);
    const part = at?.reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? (value as Record<string | number, unknown>)[name]
          : undefined,
      whole,
    );
    return JSON.stringify(part ?? whole, null, 2);
  } catch {
    return text;
  }
}
