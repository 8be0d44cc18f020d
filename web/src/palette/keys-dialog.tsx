/** Every key that works here and now. */
import { shortcuts } from "../keys/keys.ts";
import { useStore } from "../lib/store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import css from "./palette.module.css";
import { keysOpen } from "./palette-state.ts";

export function KeysDialog() {
  const offered = useStore(shortcuts).filter(({ keys }) => keys !== "");
  const groups = Map.groupBy(offered, ({ group }) => group);
  return (
    <Dialog title="Keys" isToRead onClose={() => keysOpen.set(false)}>
      <div className={css.groups}>
        {[...groups].map(([group, all]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {all.map(({ keys, label, refusal }) => (
                <div key={keys + label} title={refusal} data-refused={refusal !== undefined || undefined}>
                  <dt>
                    {label}
                    {refusal !== undefined && <span className="sr-only">: {refusal}</span>}
                  </dt>
                  <dd>
                    <Keys keys={keys} />
                    <span className="sr-only">{keys}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
