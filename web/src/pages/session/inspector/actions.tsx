/** Changes to the session, each with its plan shown before anything is written. */
import { type ChangeKind, openChange } from "../../../change/change.ts";
import { unlessRefused } from "../../../change/refusals.ts";
import { useShortcuts } from "../../../keys/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";

interface Action {
  readonly kind: ChangeKind;
  readonly label: string;
  readonly keys?: string;
  readonly input?: (turn: number) => Readonly<Record<string, unknown>>;
}

const ACTIONS: readonly Action[] = [
  { kind: "fork", label: "Fork here", keys: "f", input: (at) => ({ at }) },
  { kind: "rewind", label: "Rewind", keys: "r", input: (to) => ({ to }) },
  { kind: "clone", label: "Clone", keys: "c" },
  { kind: "compact", label: "Compact", keys: "p" },
  { kind: "move", label: "Move", keys: "m" },
  { kind: "rename", label: "Rename", keys: "n" },
  { kind: "checkpoint-create", label: "Checkpoint" },
  { kind: "delete", label: "Delete" },
];

export function Actions() {
  const { key, session, state, refusalOf } = useReading();
  const run = ({ kind, input }: Action): void =>
    openChange({
      kind,
      sessions: [key],
      title: session.title,
      ...(input && { input: input(state.current.get()) }),
    });
  useShortcuts(
    ACTIONS.filter(({ keys }) => /^[pmn]$/.test(keys ?? "")).map((action) =>
      unlessRefused({
        keys: action.keys ?? "",
        label: `${action.label} this session`,
        group: "Session",
        refusal: refusalOf(action.kind),
        run: () => run(action),
      }),
    ),
  );
  const reasons = new Set(ACTIONS.map(({ kind }) => refusalOf(kind)));
  const [only] = reasons;
  return (
    <>
      {reasons.size === 1 && only !== undefined && <p className={css.refusal}>{only}.</p>}
      <div className={css.actions}>
        {ACTIONS.map((action) => (
          <Button
            key={action.kind}
            {...(action.keys !== undefined && { keys: action.keys })}
            refusal={refusalOf(action.kind)}
            onClick={() => run(action)}
          >
            {action.label}
          </Button>
        ))}
      </div>
    </>
  );
}
