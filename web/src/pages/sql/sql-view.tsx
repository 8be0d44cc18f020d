/** SQL: ask the store anything. The query stands in the address, so that a link brings it back. */
import { useNavigate } from "@tanstack/react-router";
import { PanelLeft, Play, Save, Square } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useShortcuts } from "../../keys/keys.ts";
import { api } from "../../lib/api.ts";
import { sqlRoute } from "../../router.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { useSteady } from "../../ui/use-steady.ts";
import type { Editor } from "./editor.ts";
import { EditorPane } from "./editor-pane.tsx";
import type { NamedQuery } from "./examples.ts";
import { type Outcome, ResultPane } from "./result-pane.tsx";
import { SaveDialog } from "./save-dialog.tsx";
import { keepDraft, readDraft } from "./saved.ts";
import { SchemaPanel } from "./schema-panel.tsx";
import css from "./sql.module.css";

const NARROW = "(max-width: 700px)";

export function SqlView({
  examples,
  welcome,
}: {
  /** The first one stands in the editor at first. */
  readonly examples: readonly NamedQuery[];
  /** Stands where a result will be. */
  readonly welcome: ReactNode;
}) {
  const { q } = sqlRoute.useSearch();
  const navigate = useNavigate();
  const editor = useRef<Editor>(undefined);
  const [initial] = useState(() => q ?? readDraft() ?? examples[0]?.sql ?? "");
  const [text, setText] = useState(initial);
  const [name, setName] = useState("");
  const [isSaving, setSaving] = useState(false);
  const [isPanelOpen, setPanelOpen] = useState(() => !matchMedia(NARROW).matches);
  const { outcome, isRunning, run, stop } = useRuns();

  const answered = useRef<string>(undefined);
  const start = useCallback(
    (sql: string) => {
      if (sql.trim() === "") return;
      answered.current = sql;
      void navigate({ to: "/sql", search: { q: sql }, replace: true });
      void run(sql);
    },
    [navigate, run],
  );
  // An address with a query answers it: when the page is opened by it, and when a link changes it.
  useEffect(() => {
    if (q === undefined || q === answered.current) return;
    answered.current = q;
    if (editor.current && editor.current.text() !== q) editor.current.replace(q);
    void run(q);
  }, [q, run]);

  /** On a narrow page, the tables and the work take turns. */
  const showWork = (): void => {
    if (matchMedia(NARROW).matches) setPanelOpen(false);
  };
  const load = (query: NamedQuery): void => {
    editor.current?.replace(query.sql);
    setName(query.name);
    showWork();
    start(query.sql);
  };
  const insert = (inserted: string): void => {
    showWork();
    editor.current?.insert(inserted);
  };
  useShortcuts([
    { keys: "mod+enter", label: "Run the query", group: "SQL", inFields: true, run: () => start(text) },
    { keys: "s", label: "Save the query", group: "SQL", run: () => setSaving(true) },
    { keys: "e", label: "Write the query", group: "SQL", run: () => editor.current?.focus() },
    { keys: "t", label: "Show or hide the tables", group: "SQL", run: () => setPanelOpen(!isPanelOpen) },
  ]);

  const steady = useSteady();
  return (
    <div className={css.view} data-panel={isPanelOpen || undefined} {...steady}>
      <header className={css.header}>
        <IconButton
          label={isPanelOpen ? "Hide the tables" : "Show the tables"}
          keys="t"
          aria-pressed={isPanelOpen}
          onClick={() => setPanelOpen(!isPanelOpen)}
        >
          <PanelLeft />
        </IconButton>
        <h1>SQL</h1>
        <span className={css.note}>read-only</span>
        <span className={css.spring} />
        <Button size="small" icon={<Save />} disabled={text.trim() === ""} onClick={() => setSaving(true)}>
          Save
        </Button>
        {isRunning ? (
          <Button size="small" icon={<Square />} onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            size="small"
            tone="primary"
            icon={<Play />}
            keys="mod+enter"
            disabled={text.trim() === ""}
            onClick={() => start(text)}
          >
            Run
          </Button>
        )}
      </header>
      {isPanelOpen && (
        <aside className={css.side} aria-label="Queries and tables">
          <SchemaPanel examples={examples} onInsert={insert} onLoad={load} />
        </aside>
      )}
      <div className={css.work}>
        <EditorPane
          editor={editor}
          initial={initial}
          onRun={() => start(editor.current?.text() ?? "")}
          onChange={(next) => {
            setText(next);
            keepDraft(next);
          }}
        />
        <ResultPane outcome={outcome} isRunning={isRunning} welcome={welcome} />
      </div>
      {isSaving && (
        <SaveDialog
          sql={text}
          name={name}
          onClose={(given) => {
            setSaving(false);
            if (given !== undefined) setName(given);
          }}
        />
      )}
    </div>
  );
}

/** One query at a time: another one stops the one before. */
function useRuns() {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isRunning, setRunning] = useState(false);
  const control = useRef<AbortController>(undefined);
  const runs = useRef(0);
  const stop = useCallback(() => control.current?.abort(), []);
  useEffect(() => stop, [stop]);
  const run = useCallback(async (sql: string) => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setRunning(true);
    const began = performance.now();
    const end = (what: Pick<Outcome, "answer" | "error">): void =>
      setOutcome({ ...what, ms: performance.now() - began, run: ++runs.current });
    try {
      end({ answer: await api.sql({ sql }, { signal: mine.signal }) });
    } catch (error) {
      if (!mine.signal.aborted) end({ error });
    } finally {
      if (control.current === mine) setRunning(false);
    }
  }, []);
  return { outcome, isRunning, run, stop };
}
