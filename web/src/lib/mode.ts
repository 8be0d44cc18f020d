/** Who serves these pages: `rethread serve` for the sessions of this machine, or a hub for those of a team. */
type Mode = "local" | "hub";

let mode: Mode = "local";

/** Once, before anything is drawn. */
export const setMode = (next: Mode): void => {
  mode = next;
};

export const isHub = (): boolean => mode === "hub";

/** Which process has a session open takes long to find out, and a hub does not know. */
export const withoutOwners = (): { readonly owners?: false } => (isHub() ? {} : { owners: false });
