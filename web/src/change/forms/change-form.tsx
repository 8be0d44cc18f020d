/** The choices of a change, by its kind. */

import { useRef, useState } from "react";
import { bytes, plural } from "../../../../src/present/text/measure.ts";
import { api } from "../../lib/api.ts";
import { sourceOf } from "../../lib/sources.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { describe } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import type { Choices } from "../choices.ts";
import type { Change } from "../use-change.ts";
import { AmountField, Group } from "./fields.tsx";
import { FolderField } from "./folder-field.tsx";
import css from "./form.module.css";
import { HandoffForm } from "./handoff-form.tsx";
import { type FormProps, NameField, sourceIn } from "./of-change.tsx";
import { ReductionFields } from "./reduction-fields.tsx";
import { TurnPicker } from "./turn-picker.tsx";
import { WorkspaceSelect } from "./workspace-select.tsx";

export function ChangeForm({ change }: { readonly change: Change }) {
  switch (change.request.kind) {
    case "clone":
      return <CloneForm change={change} />;
    case "fork":
      return <ForkForm change={change} />;
    case "rewind":
      return <RewindForm change={change} />;
    case "compact":
      return <CompactForm change={change} />;
    case "move":
      return <MoveForm change={change} />;
    case "handoff":
      return <HandoffForm change={change} />;
    case "import":
      return <ImportForm change={change} />;
    default:
      return <SmallForm change={change} />;
  }
}

function CloneForm({ change }: FormProps) {
  const { choices, choose, planning, facts } = change;
  const isVsCode = sourceIn(change) === "vscode";
  const stats = planning.planned?.plan.stats;
  return (
    <div className={css.form}>
      <Group title="Where">
        {isVsCode ? (
          <WorkspaceSelect value={choices.to} onValue={(to) => choose({ to })} />
        ) : (
          <FolderField
            label="Folder"
            value={choices.to}
            placeholder={facts?.session.workspace ?? "The same folder"}
            hint="Leave it empty for the same folder"
            onValue={(to) => choose({ to })}
          />
        )}
        {choices.to !== "" && (
          <SelectField
            label="Paths of files in it"
            value={choices.paths}
            onChoose={(paths) => choose({ paths: paths as Choices["paths"] })}
            choices={[
              { value: "existing", label: "Lead to the new folder where the file is there" },
              { value: "rewrite", label: "All lead to the new folder" },
              { value: "keep", label: "Stay as they are" },
            ]}
          />
        )}
      </Group>
      <ReductionFields
        choices={choices}
        choose={choose}
        tokens={stats?.originalTokens}
        turns={facts?.turns.length}
      />
      <Group title="Name">
        <NameField change={change} label="Name of the clone" planned={change.planning.planned?.plan.name} />
      </Group>
    </div>
  );
}

function ForkForm({ change }: FormProps) {
  const { choices, choose, facts } = change;
  return (
    <div className={css.form}>
      <Group title="The last turn of the fork">
        {facts && facts.turns.length > 0 && (
          <TurnPicker
            label="The last turn of the fork"
            turns={facts.turns}
            value={choices.turn}
            onValue={(turn) => choose({ turn })}
          />
        )}
      </Group>
      <NameField change={change} label="Name of the fork" suffix="(fork)" />
    </div>
  );
}

function RewindForm({ change }: FormProps) {
  const { choices, choose, facts, request } = change;
  const isVsCode = sourceIn(change) === "vscode";
  // Rewinding to the last turn changes nothing, so the one before it is offered.
  const isStarted = useRef(choices.turn !== undefined);
  if (!isStarted.current && facts) {
    isStarted.current = true;
    if (facts.turns.length > 1) queueMicrotask(() => choose({ turn: facts.turns.length - 2 }));
  }
  return (
    <div className={css.form}>
      <Group title="The last turn to keep">
        {facts && facts.turns.length > 0 && (
          <TurnPicker
            label={`The last turn to keep of ${request.title ?? facts.session.title}`}
            turns={facts.turns}
            value={choices.turn}
            onValue={(turn) => choose({ turn })}
          />
        )}
      </Group>
      {isVsCode ? (
        <CheckField
          label="Cut the session itself"
          hint="Otherwise the turns up to there become a new session"
          isChecked={choices.inPlace}
          onCheck={(inPlace) => choose({ inPlace })}
        />
      ) : (
        <>
          <CheckField
            label="Restore files of the workspace"
            hint="To the states that were recorded before the removed turns; files that changed since stay as they are"
            isChecked={choices.files}
            onCheck={(files) => choose({ files })}
          />
          {choices.files && (
            <CheckField
              label="Also files outside the session's folder"
              isChecked={choices.outside}
              onCheck={(outside) => choose({ outside })}
            />
          )}
        </>
      )}
    </div>
  );
}

function CompactForm({ change }: FormProps) {
  const { choices, choose, facts } = change;
  return (
    <div className={css.form}>
      <SelectField
        label="How"
        value={choices.append ? "append" : "replace"}
        onChoose={(how) => choose({ append: how === "append" })}
        choices={[
          { value: "replace", label: "Replace older turns by a summary" },
          { value: "append", label: "Append a summary, and keep the log" },
        ]}
      />
      {!choices.append && (
        <div className={css.beside}>
          <p className={css.words}>Turns to keep word for word at the end</p>
          <AmountField
            label="Turns to keep at the end"
            unit="turns"
            value={choices.keep}
            least={1}
            most={Math.max(1, facts?.turns.length ?? Number.MAX_SAFE_INTEGER)}
            onValue={(keep) => choose({ keep })}
          />
        </div>
      )}
    </div>
  );
}

function MoveForm({ change }: FormProps) {
  const { choices, choose, request, facts } = change;
  return (
    <div className={css.form}>
      {request.sessions.length === 0 && (
        <FolderField
          label="All sessions of the folder"
          hint="And of the folders below it"
          value={choices.from}
          onValue={(from) => choose({ from })}
        />
      )}
      <FolderField
        label="New folder"
        hint={
          facts?.session.workspace
            ? `Now: ${facts.session.workspace}`
            : "Its path after it was renamed or moved; no file of it is touched"
        }
        value={choices.to}
        onValue={(to) => choose({ to })}
      />
      <CheckField
        label="Also rewrite the old path in messages, commands and outputs"
        isChecked={choices.text}
        onCheck={(text) => choose({ text })}
      />
    </div>
  );
}

const ENDINGS = [".tar.gz", ".tar", ".jsonl", ".json"] as const;

function ImportForm({ change }: FormProps) {
  const { choices, choose } = change;
  const picker = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<{ readonly name: string; readonly says: string; readonly isBad?: true }>();
  const send = async (file: File): Promise<void> => {
    const ending = ENDINGS.find((each) => file.name.toLowerCase().endsWith(each));
    if (!ending) {
      const says = "A bundle (.tar.gz, .tar), a transcript (.jsonl) or a chat (.json) is needed";
      return setSent({ name: file.name, says, isBad: true });
    }
    setSent({ name: file.name, says: "Reading…" });
    try {
      const kept = await api.upload(file, ending);
      setSent({ name: file.name, says: bytes(kept.bytes) });
      choose({ file: kept.file });
    } catch (error) {
      setSent({ name: file.name, says: describe(error).message, isBad: true });
    }
  };
  return (
    <div className={css.form}>
      <Group title="File">
        <div className={css.file}>
          <Button onClick={() => picker.current?.click()}>Choose a file…</Button>
          <span className="ellipsis">{sent?.name ?? "A bundle, a transcript or an exported chat"}</span>
        </div>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="File to import"
          accept=".gz,.tar,.jsonl,.json"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void send(file);
          }}
        />
        {sent ? (
          <p className={sent.isBad ? css.none : css.hint} role="status">
            {sent.says}
          </p>
        ) : (
          <TextField
            label="Or its path on this machine"
            value={choices.file}
            spellCheck={false}
            onChange={({ target }) => choose({ file: target.value })}
          />
        )}
      </Group>
      <FolderField
        label="Folder here"
        hint="Leave it empty for the folder it had"
        value={choices.to}
        onValue={(to) => choose({ to })}
      />
      <NameField change={change} label="Name" />
      <CheckField
        label="Import as a new session"
        hint="Beside the one that already has its id"
        isChecked={choices.newId}
        onCheck={(newId) => choose({ newId })}
      />
    </div>
  );
}

/** What a change without choices is about. */
function SessionFacts({ change: { facts, request } }: FormProps) {
  if (!facts || request.sessions.length !== 1) return null;
  const { session, turns } = facts;
  return (
    <dl className={css.facts}>
      <div>
        <dt>Program</dt>
        <dd>{sourceOf(session.source).label}</dd>
      </div>
      {session.workspace !== null && (
        <div>
          <dt>Folder</dt>
          <dd>{session.workspace}</dd>
        </div>
      )}
      <div>
        <dt>Turns</dt>
        <dd>{turns.length}</dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{bytes(session.bytes)}</dd>
      </div>
      {session.updatedAt !== null && (
        <div>
          <dt>Last active</dt>
          <dd>
            <Time at={session.updatedAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Kinds with one choice or none. */
function SmallForm({ change }: FormProps) {
  const { choices, choose, request } = change;
  switch (request.kind) {
    case "rename":
      return (
        <div className={css.form}>
          <NameField change={change} label="New name" />
        </div>
      );
    case "checkpoint-create":
      return (
        <div className={css.form}>
          <TextField
            label="Title of the checkpoint"
            hint="Leave it empty to take it from the first request"
            value={choices.name}
            autoComplete="off"
            onChange={({ target }) => choose({ name: target.value })}
          />
        </div>
      );
    case "rescue-all":
      return (
        <div className={css.form}>
          <p className={css.words}>
            Everything that is wrong and can be repaired
            {choices.source !== "" && ` with the sessions of ${sourceOf(choices.source).short}`}
            {request.sessions.length > 0 &&
              `${choices.source === "" ? " with " : ", and "}${plural(request.sessions.length, "other session", "other sessions")}`}
            , as one write that is undone as a whole.
          </p>
          {choices.source !== "" && (
            <CheckField
              label="Sessions follow their folder"
              hint="Where it was created again, or was renamed and is the only one with its git remote"
              isChecked={choices.adopt}
              onCheck={(adopt) => choose({ adopt })}
            />
          )}
        </div>
      );
    case "backup-copy":
      return (
        <div className={css.form}>
          <FolderField
            label="Folder of the new session"
            hint="Leave it empty for the folder it had"
            value={choices.to}
            onValue={(to) => choose({ to })}
          />
        </div>
      );
    case "delete":
      return (
        <div className={css.form}>
          <p className={css.words}>
            A backup of everything is kept until you confirm in the history that it may go. Until then this
            can be undone.
          </p>
          <SessionFacts change={change} />
        </div>
      );
    case "rescue":
      return (
        <div className={css.form}>
          <p className={css.words}>
            What can be kept is kept, byte for byte; only what its program fails on is changed. The session
            keeps its id, and a backup is kept.
          </p>
          <SessionFacts change={change} />
        </div>
      );
    default:
      return (
        <div className={css.form}>
          <p className={css.words}>
            Undoing is a write of its own: it shows what it will do, and can be undone as well.
          </p>
        </div>
      );
  }
}
