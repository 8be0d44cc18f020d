/** The sections of the page, to jump to. */
import css from "./settings.module.css";

const SECTIONS = [
  "Appearance",
  "Index",
  "Folders of the agents",
  "Retention and backups",
  "Estimates",
  "API",
  "About",
] as const;

type Name = (typeof SECTIONS)[number];

const idOf = (name: Name): string => name.toLowerCase().replaceAll(" ", "-");

export function Anchor({ name }: { readonly name: Name }) {
  return <span id={idOf(name)}>{name}</span>;
}

export function Contents() {
  return (
    <nav className={css.contents} aria-label="Sections">
      {SECTIONS.map((name) => (
        <a
          key={name}
          href={`#${idOf(name)}`}
          onClick={(event) => {
            event.preventDefault();
            const heading = document.getElementById(idOf(name));
            heading?.closest("section")?.scrollIntoView({ behavior: "smooth" });
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
