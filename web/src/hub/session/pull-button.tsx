/** How to continue one's own session on another machine: a command to copy. */
import { Popover } from "@base-ui/react/popover";
import { toShell } from "../../../../src/model/text/shell-words.ts";
import { Command, ContinuePopover } from "../../pages/session/header/continue-popover.tsx";
import { useReading } from "../../pages/session/reading.ts";

export function PullButton() {
  const { key } = useReading();
  return (
    <ContinuePopover label="Continue on this machine">
      {() => (
        <>
          <Popover.Title>Continue on this machine</Popover.Title>
          <Command text={toShell(["rethread", "sync", "--pull", key])}>
            Run this in a terminal. It writes the session here as its own program would, ready to be
            continued; what you have already stays as it is.
          </Command>
        </>
      )}
    </ContinuePopover>
  );
}
