/** What the store holds, how fresh it is, and how to bring it up to date or make it again. */
import { useMutation } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { amount, bytes } from "../../../../src/present/text/measure.ts";
import { adviceOf } from "../../change/advice.ts";
import { api } from "../../lib/api.ts";
import { useStore } from "../../lib/store.ts";
import { indexProgress, progressText } from "../../live/live.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { describe } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Card, Row } from "./row.tsx";
import css from "./settings.module.css";

export type IndexState = Awaited<ReturnType<typeof api.index>>;

export function IndexSection({
  state,
  isLocked,
}: {
  readonly state: IndexState;
  readonly isLocked: boolean;
}) {
  const progress = useStore(indexProgress);
  const [isAsking, setAsking] = useState(false);
  const start = useMutation({ mutationFn: (rebuild: boolean) => api.startIndex(rebuild ? { rebuild } : {}) });
  const isBusy = progress !== undefined || state.isIndexing || start.isPending;
  const error = start.error && `${describe(start.error).message}. ${adviceOf(start.error).words}`;
  return (
    <Card>
      <dl className={css.facts}>
        <Fact label="Sessions">{amount(state.sessions)}</Fact>
        <Fact label="Turns">{amount(state.turns)}</Fact>
        <Fact label="With problems">{amount(state.problems)}</Fact>
        <Fact label="Size of the store">{state.storeBytes === null ? "–" : bytes(state.storeBytes)}</Fact>
        <Fact label="Last refresh">
          {state.indexedAt === null ? "not yet" : <Time at={state.indexedAt} />}
        </Fact>
      </dl>
      <Row
        label={isBusy ? "Reading sessions" : "Up to date"}
        about={
          progress ? (
            <span className={css.progress} role="status">
              <progress value={progress.done} max={Math.max(1, progress.total)} aria-label="Index" />
              {progressText(progress)}
            </span>
          ) : (
            "While the server runs, it notices what agents write by itself."
          )
        }
        {...(error && { error })}
      >
        <Button icon={<RefreshCw />} disabled={isBusy || isLocked} onClick={() => start.mutate(false)}>
          Index now
        </Button>
        <Button disabled={isBusy || isLocked} onClick={() => setAsking(true)}>
          Rebuild…
        </Button>
      </Row>
      {isAsking && (
        <Dialog
          title="Read everything again?"
          size="small"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button
                tone="primary"
                onClick={() => {
                  setAsking(false);
                  start.mutate(true);
                }}
              >
                Rebuild
              </Button>
            </>
          }
        >
          <p>
            All sessions are read into a new store, which then takes the place of the old one. The agents’
            files are only read. Until it is done, everything here works with the old store.
          </p>
        </Dialog>
      )}
    </Card>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
