/** Which program continues a session, where, and how much of it that gets. */
import { sourceOf } from "../../lib/sources.ts";
import { CheckField, SelectField } from "../../ui/field.tsx";
import { BRIEFING } from "../choices.ts";
import { useKnown } from "../refusals.ts";
import { AmountField, Group } from "./fields.tsx";
import { FolderField } from "./folder-field.tsx";
import css from "./form.module.css";
import { type FormProps, NameField, sourceIn } from "./of-change.tsx";
import { TurnPicker } from "./turn-picker.tsx";

export function HandoffForm({ change }: FormProps) {
  const { choices, choose, facts } = change;
  const own = sourceIn(change);
  const others = useKnown().sources.filter(({ source, canTake }) => canTake && source !== own);
  const turns = facts?.turns ?? [];
  const isBriefing = choices.target === BRIEFING;
  return (
    <div className={css.form}>
      <Group title="Where">
        <SelectField
          label="Program"
          value={choices.target}
          // The budget of one says nothing about the other.
          onChoose={(target) =>
            choose({ target, ...((target === BRIEFING) !== isBriefing && { budget: undefined }) })
          }
          choices={[
            { value: "", label: "Choose…" },
            ...others.map(({ source }) => ({ value: source, label: sourceOf(source).label })),
            { value: BRIEFING, label: "Any other agent, by a briefing" },
          ]}
        />
        {!isBriefing && (
          <FolderField
            label="Folder"
            value={choices.to}
            placeholder={facts?.session.workspace ?? "The same folder"}
            hint="Leave it empty for the same folder"
            onValue={(to) => choose({ to })}
          />
        )}
      </Group>
      <Group title="How much">
        <CheckField
          label="Within a budget of tokens"
          hint={
            isBriefing
              ? "2,000 unless you say otherwise; what matters least is left out"
              : "Bulky results are left out first, then old turns"
          }
          isChecked={choices.budget !== undefined}
          onCheck={(isOn) =>
            choose({ budget: isOn ? (isBriefing ? USUAL_BRIEFING : USUAL_BUDGET) : undefined })
          }
        />
        {choices.budget !== undefined && (
          <AmountField
            label="Budget"
            unit="tokens"
            value={choices.budget}
            least={1}
            onValue={(budget) => choose({ budget })}
          />
        )}
        {!isBriefing && turns.length > 1 && (
          <CheckField
            label="Only up to a turn"
            hint="What comes after it stays behind"
            isChecked={choices.turn !== undefined}
            onCheck={(isOn) => choose({ turn: isOn ? turns.length - 1 : undefined })}
          />
        )}
        {!isBriefing && choices.turn !== undefined && (
          <TurnPicker
            label="The last turn to hand over"
            turns={turns}
            value={choices.turn}
            onValue={(turn) => choose({ turn })}
          />
        )}
      </Group>
      {!isBriefing && (
        <Group title="Name">
          <NameField change={change} label="Name of the new session" />
        </Group>
      )}
    </div>
  );
}

/** In tokens. */
const USUAL_BUDGET = 60_000;
const USUAL_BRIEFING = 4_000;
