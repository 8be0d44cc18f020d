/** A standup to read, or to paste where the team reads it; whoever is asked for it. */
import { useQuery } from "@tanstack/react-query";
import { ClipboardCopy, ClipboardList } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { markdownStandup } from "../../../../src/present/markdown/standup.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { rangeText } from "../../../../src/present/text/range.ts";
import { Failure } from "../../change/failure.tsx";
import { useShortcuts } from "../../keys/keys.ts";
import { keys } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { longer, type RangeState } from "./report-bar.tsx";
import { type Standup, StandupView } from "./standup-view.tsx";

export function StandupPage<Q extends object>({
  view,
  bar,
  range,
  setRange,
  query,
  ask,
}: RangeState & {
  readonly view?: Ref<HTMLDivElement>;
  /** What chooses what the report is about. */
  readonly bar: ReactNode;
  readonly query: Q;
  readonly ask: (query: Q, signal: AbortSignal) => Promise<Standup>;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.report("standup", query),
    queryFn: ({ signal }) => ask(query, signal),
    placeholderData: (before) => before,
  });
  const isEmpty = data?.repositories.length === 0;
  const copy = (): void => {
    if (data && !isEmpty) void copyText(toMarkdown(data), "The report is");
  };
  useShortcuts([{ keys: "y", label: "Copy the report as Markdown", group: "Reports", run: copy }]);
  const further = longer(range);
  return (
    <Page
      {...(view && { ref: view })}
      title="Standup"
      facts={data && factsOf(data)}
      actions={
        <Button icon={<ClipboardCopy />} keys="y" disabled={!data || isEmpty} onClick={copy}>
          Copy as Markdown
        </Button>
      }
    >
      {bar}
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={6} height={72} />
      ) : isEmpty ? (
        <Empty
          title="Nothing was done in this time"
          icon={<ClipboardList />}
          action={further && <Button onClick={() => setRange(further)}>Look further back</Button>}
        >
          No session has a turn from {rangeText(data)}.
        </Empty>
      ) : (
        <StandupView standup={data} />
      )}
    </Page>
  );
}

const factsOf = (standup: Standup): string =>
  [
    plural(standup.sessionCount, "session", "sessions"),
    plural(standup.turns, "turn", "turns"),
    rangeText(standup),
  ].join(" · ");

/** As the command prints it; of several people, with whose session each is. */
const toMarkdown = (standup: Standup): string =>
  // Where the answer has nothing it says null, and the report leaves it out.
  markdownStandup(JSON.parse(JSON.stringify(standup), (_, value) => named(value) ?? undefined));

const named = (value: unknown): unknown => {
  const { person, title } = (value ?? {}) as { readonly person?: unknown; readonly title?: unknown };
  return typeof person === "string" && typeof title === "string"
    ? { ...(value as object), title: `${person}: ${title}` }
    : value;
};
