/** The inspector where there is no room beside the conversation: a drawer behind a button. */
import { Dialog } from "@base-ui/react/dialog";
import { PanelRight, X } from "lucide-react";
import { useNarrow } from "../../../lib/use-media.ts";
import { IconButton } from "../../../ui/button.tsx";
import { useReading } from "../reading.ts";
import css from "./drawer.module.css";

export function InspectorDrawer() {
  const isNarrow = useNarrow();
  const { parts } = useReading();
  return (
    <Dialog.Root>
      <Dialog.Trigger
        render={
          <IconButton label="About this session" className={css.button ?? ""}>
            <PanelRight />
          </IconButton>
        }
      />
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.drawer}>
          <header>
            <Dialog.Title>About this session</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label="Close">
                  <X />
                </IconButton>
              }
            />
          </header>
          <div className={css.body}>
            {isNarrow && parts.InDrawer && (
              <div className={css.lens}>
                <parts.InDrawer />
              </div>
            )}
            <parts.Inspector />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
