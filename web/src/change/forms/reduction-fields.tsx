/** What a smaller copy leaves out: tool calls, thinking, old turns, or whatever is needed to fit a budget. */
import { compact } from "../../../../src/present/text/measure.ts";
import { CheckField, SelectField } from "../../ui/field.tsx";
import type { Choices, ToolRule, TurnRule } from "../choices.ts";
import { AmountField, Group } from "./fields.tsx";
import css from "./form.module.css";

interface Props {
  readonly choices: Choices;
  readonly choose: (some: Partial<Choices>) => void;
  /** Of the original, once it is known. */
  readonly tokens: number | undefined;
  readonly turns: number | undefined;
}

export function ReductionFields({ choices, choose, tokens, turns }: Props) {
  const { tools, turns: rule, budget } = choices;
  return (
    <Group title="What to leave out">
      <BudgetField choices={choices} choose={choose} tokens={tokens} />
      <div className={css.pair}>
        <SelectField
          label="Tool calls and their results"
          value={tools}
          onChoose={(value) => choose({ tools: value as ToolRule })}
          choices={[
            { value: "keep", label: "Keep all" },
            { value: "truncate", label: "Cut those longer than" },
            { value: "oldest", label: "Leave out the oldest" },
            { value: "drop", label: "Leave out all" },
          ]}
        />
        {tools === "truncate" && (
          <AmountField
            label="Longest tool call, in characters"
            unit="chars"
            value={choices.toolChars}
            onValue={(toolChars) => choose({ toolChars })}
          />
        )}
        {tools === "oldest" && (
          <AmountField
            label="Share of tool calls to leave out, in percent"
            unit="%"
            value={choices.toolPercent}
            most={100}
            onValue={(toolPercent) => choose({ toolPercent })}
          />
        )}
      </div>
      <div className={css.pair}>
        <SelectField
          label="Oldest turns"
          value={rule}
          onChoose={(value) => choose({ turns: value as TurnRule })}
          choices={[
            { value: "keep", label: "Keep all" },
            { value: "percent", label: "Leave out a share" },
            { value: "count", label: "Leave out so many" },
          ]}
        />
        {rule === "percent" && (
          <AmountField
            label="Share of turns to leave out, in percent"
            unit="%"
            value={choices.turnPercent}
            most={99}
            onValue={(turnPercent) => choose({ turnPercent })}
          />
        )}
        {rule === "count" && (
          <AmountField
            label="Turns to leave out"
            unit="turns"
            value={choices.turnCount}
            most={turns === undefined ? undefined : Math.max(0, turns - 1)}
            onValue={(turnCount) => choose({ turnCount })}
          />
        )}
      </div>
      <CheckField
        label="Leave out thinking"
        isChecked={choices.dropThinking}
        onCheck={(dropThinking) => choose({ dropThinking })}
      />
      {(rule !== "keep" || budget !== undefined) && (
        <CheckField
          label="Put a summary in the place of turns that are left out"
          isChecked={choices.summarize}
          onCheck={(summarize) => choose({ summarize })}
        />
      )}
    </Group>
  );
}

/** The smallest budget that the slider offers; the field takes any. */
const LEAST = 1000;

function BudgetField({ choices: { budget }, choose, tokens }: Omit<Props, "turns">) {
  const most = Math.max(tokens ?? budget ?? 0, LEAST);
  const step = most > 50_000 ? 1000 : most > 10_000 ? 500 : 100;
  return (
    <div>
      <CheckField
        label="Fit a budget"
        hint={`Bulky results go first, then old turns${tokens === undefined ? "" : `; it has ${compact(tokens)} tokens now`}`}
        isChecked={budget !== undefined}
        onCheck={(isOn) => choose({ budget: isOn ? Math.max(LEAST, roundTo(most / 2, step)) : undefined })}
      />
      {budget !== undefined && (
        <div className={css.budget}>
          <input
            type="range"
            aria-label="Budget in tokens"
            min={Math.min(LEAST, most)}
            max={most}
            step={step}
            value={Math.min(budget, most)}
            aria-valuetext={`${compact(budget)} tokens`}
            onChange={({ target }) => choose({ budget: Number(target.value) })}
          />
          <AmountField
            label="Budget in tokens"
            unit="tokens"
            value={budget}
            least={1}
            onValue={(next) => choose({ budget: next })}
          />
        </div>
      )}
    </div>
  );
}

const roundTo = (value: number, step: number): number => Math.round(value / step) * step;
