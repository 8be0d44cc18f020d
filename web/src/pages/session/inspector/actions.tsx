/** Changes to the session, each with its plan shown before anything is written. */
import { type ChangeKind, openChange } from "../../../change/change.ts";
import { useShortcuts } from "../../../keys/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { useReading } from "../reading.ts";
import css from "./inspector.module.css";

interface Action {
  readonly kind: ChangeKind;
  readonly label: string;
  readonly keys?: string;
  /** Copies can still be made of what is gone. */
  readonly makesCopy?: true;
  readonly input?: (turn: number) => Readonly<Record<string, unknown>>;
}

const ACTIONS: readonly Action[] = [
  { kind: "fork", label: "Fork here", keys: "f", makesCopy: true, input: (at) => ({ at }) },
  { kind: "rewind", label: "Rewind", keys: "r", input: (to) => ({ to }) },
  { kind: "clone", label: "Clone", keys: "c", makesCopy: true },
  { kind: "compact", label: "Compact", keys: "p" },
  { kind: "move", label: "Move", keys: "m" },
  { kind: "rename", label: "Rename", keys: "n" },
  { kind: "checkpoint-create", label: "Checkpoint" },
  { kind: "delete", label: "Delete" },
];

export function Actions() {
  const { key, session, state } = useReading();
  const isGone = session.vanishedAt !== null;
  const offered = ACTIONS.filter(
    ({ kind }) => kind !== "checkpoint-create" || session.source === "copilot-cli",
  );
  const run = ({ kind, input }: Action): void =>
    openChange({
      kind,
      sessions: [key],
      title: session.title,
      ...(input && { input: input(state.current.get()) }),
    });
  useShortcuts(
    offered
      .filter(({ keys, makesCopy }) => /^[pmn]$/.test(keys ?? "") && (makesCopy || !isGone))
      .map((action) => ({
        keys: action.keys ?? "",
        label: `${action.label} this session`,
        group: "Session",
        run: () => run(action),
      })),
  );
  return (
    <div className={css.actions}>
      {offered.map((action) => (
        <Button
          key={action.kind}
          {...(action.keys !== undefined && { keys: action.keys })}
          disabled={isGone && !action.makesCopy}
          onClick={() => run(action)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  );
}
