/** What recent sessions suggest for the board, with the turns that show it; what is checked is written. */
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { placeWords } from "../../../../src/model/board/item.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { adviceOf } from "../../change/advice.ts";
import { Failure } from "../../change/failure.tsx";
import { api, keys } from "../../lib/api.ts";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Badge } from "../../ui/marks.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { describe, Empty, Skeleton } from "../../ui/states.tsx";
import { useChosen } from "./chosen.ts";
import css from "./dialogs.module.css";
import { Evidence } from "./evidence.tsx";
import type { Proposal } from "./items.ts";
import { tellDone } from "./use-board.ts";

const RANGES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
] as const;
const DAY_MS = 24 * 60 * 60_000;

const KINDS = {
  convention: "stated in a prompt",
  decisions: "from a checkpoint",
  commands: "commands that worked",
  files: "files often changed",
} as const satisfies Record<Proposal["kind"], string>;

export function ConsolidateDialog({
  place,
  onClose,
}: {
  readonly place: { readonly repository?: string; readonly branch?: string };
  readonly onClose: () => void;
}) {
  const [days, setDays] = useState<(typeof RANGES)[number]["value"]>("90");
  // The same all day long, so that the question is the same.
  const since = new Date(Math.floor(Date.now() / DAY_MS - Number(days)) * DAY_MS).toISOString();
  const where = {
    ...(place.repository === undefined ? { all: true } : { repository: place.repository }),
    since,
  };
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.board, "proposals", where],
    queryFn: ({ signal }) => api.consolidateBoard(where, { signal }),
    placeholderData: keepPreviousData,
  });
  const chosen = useChosen();
  const wanted = data?.proposals.filter(({ id }) => chosen.has(id)) ?? [];
  const write = useMutation({
    mutationFn: () => api.consolidateBoard({ ...where, only: wanted.map(({ id }) => id), apply: true }),
    onSuccess: async ({ proposals, operation }) => {
      await tellDone(`Added ${plural(proposals.length, "item", "items")} to the board`, operation);
      onClose();
    },
  });
  const areAll = data !== undefined && wanted.length === data.proposals.length;
  return (
    <Dialog
      title="Suggestions from sessions"
      description={`What was stated, decided and done ${place.repository === undefined ? "in any repository" : `in ${place.repository}`}. Nothing is written before you say so.`}
      size="large"
      onClose={onClose}
      footer={
        <>
          {write.error !== null && (
            <p className={css.refusal} role="alert">
              {describe(write.error).message} <span>{adviceOf(write.error).words}</span>
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={wanted.length === 0 || write.isPending}
            onClick={() => write.mutate()}
          >
            Add {plural(wanted.length, "item", "items")}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <div className={css.bar}>
          <Segmented label="How far back" choices={RANGES} value={days} onChoose={setDays} />
          {data && data.proposals.length > 1 && (
            <Button
              size="small"
              onClick={() =>
                chosen.setAll(
                  data.proposals.map(({ id }) => id),
                  !areAll,
                )
              }
            >
              {areAll ? "Choose none" : "Choose all"}
            </Button>
          )}
        </div>
        {error && !data ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton rows={4} height={88} />
        ) : data.proposals.length === 0 ? (
          <Empty title="Nothing new" icon={<Sparkles />}>
            What these sessions state and do is on the board already, or was taken off it. Look further back,
            or come again later.
          </Empty>
        ) : (
          <ul className={css.rows}>
            {data.proposals.map((proposal) => (
              <li key={proposal.id}>
                <ProposalRow
                  proposal={proposal}
                  isChecked={chosen.has(proposal.id)}
                  onCheck={(isChecked) => chosen.toggle(proposal.id, isChecked)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function ProposalRow({
  proposal,
  isChecked,
  onCheck,
}: {
  readonly proposal: Proposal;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}) {
  return (
    <div className={css.proposal} data-off={!isChecked || undefined}>
      <CheckField
        label={
          <span className={css.proposalHead}>
            <b>{clean(proposal.name)}</b>
            <Badge>{KINDS[proposal.kind]}</Badge>
            {proposal.change === "update" && <Badge tone="accent">adds to what is there</Badge>}
          </span>
        }
        hint={clean(placeWords(proposal))}
        isChecked={isChecked}
        onCheck={onCheck}
      />
      <div className={css.proposed}>
        <Markdown text={proposal.content} />
        <Evidence evidence={proposal.evidence} />
      </div>
    </div>
  );
}
