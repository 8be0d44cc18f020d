/** The tags of the session: removed by a click, added in a field. */
import { TagField } from "../../../tags/tag-field.tsx";
import { changeTagsAndTell, type TagChange } from "../../../tags/tagging.ts";
import { TagList } from "../../../tags/tags.tsx";
import { useReading } from "../reading.ts";
import { Section } from "./section.tsx";

export function Tags() {
  const { session } = useReading();
  const change = (some: Partial<TagChange>): void =>
    void changeTagsAndTell([session], { add: [], remove: [], ...some });
  return (
    <Section title="Tags">
      <TagList tags={session.tags} onRemove={(tag) => change({ remove: [tag] })} />
      <TagField has={session.tags} size="small" onAdd={(tag) => change({ add: [tag] })} />
    </Section>
  );
}
