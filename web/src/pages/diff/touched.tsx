/** Files and commands of the turns that differ, by the side that has them. */
import type { Answer } from "../../../../src/client/index.ts";
import { plural } from "../../../../src/present/text/measure.ts";
import { clean } from "../../text/clean.ts";
import css from "./diff.module.css";

type Sides = Answer<"diff">["files"];

export function Touched({ files, commands }: { readonly files: Sides; readonly commands: Sides }) {
  const counts = [
    [countOf(files), "file", "files"],
    [countOf(commands), "command", "commands"],
  ] as const;
  if (counts.every(([count]) => count === 0)) return null;
  return (
    <details className={css.touched}>
      <summary>
        {counts
          .filter(([count]) => count > 0)
          .map(([count, one, many]) => plural(count, one, many))
          .join(" and ")}{" "}
        in the turns that differ
      </summary>
      <div className={css.columns}>
        <Column title="Only on the left" files={files.onlyA} commands={commands.onlyA} />
        <Column title="On both" files={files.both} commands={commands.both} />
        <Column title="Only on the right" files={files.onlyB} commands={commands.onlyB} />
      </div>
    </details>
  );
}

const countOf = ({ onlyA, onlyB, both }: Sides): number => onlyA.length + onlyB.length + both.length;

function Column({
  title,
  files,
  commands,
}: {
  readonly title: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      {files.length + commands.length === 0 && <p className="muted">nothing</p>}
      <ul>
        {files.map((file) => (
          <li key={`file ${file}`} title={clean(file)}>
            {clean(file)}
          </li>
        ))}
        {commands.map((command) => (
          <li key={`command ${command}`} title={clean(command)}>
            $ {clean(command)}
          </li>
        ))}
      </ul>
    </section>
  );
}
