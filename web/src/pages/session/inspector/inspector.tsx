/** Beside the conversation: what can be changed, what is wrong, where the session comes from and what it did. */
import { plural } from "../../../../../src/present/text/measure.ts";
import { useReading } from "../reading.ts";
import { Actions } from "./actions.tsx";
import { Checkpoints } from "./checkpoints.tsx";
import { Facts } from "./facts.tsx";
import { Files } from "./files.tsx";
import css from "./inspector.module.css";
import { Lineage } from "./lineage.tsx";
import { Problems } from "./problems.tsx";
import { Section } from "./section.tsx";
import { Sidecars } from "./sidecars.tsx";
import { Tags } from "./tags.tsx";

export function Inspector() {
  const { outline } = useReading();
  return (
    <div className={css.inspector}>
      <Section title="Change">
        <Actions />
      </Section>
      {outline.problems.length > 0 && (
        <Section title={plural(outline.problems.length, "problem", "problems")}>
          <Problems />
        </Section>
      )}
      <Tags />
      <Lineage />
      <Files />
      <Checkpoints />
      <Sidecars />
      <Section title="Facts">
        <Facts />
      </Section>
    </div>
  );
}
