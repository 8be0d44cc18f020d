/** Everything else that can be done with a session. */
import { useNavigate } from "@tanstack/react-router";
import {
  Archive,
  ArrowRightLeft,
  Copy,
  Download,
  EllipsisVertical,
  GitFork,
  Minimize2,
  Pencil,
  Scale,
  Search,
  Send,
  Trash2,
  Undo2,
} from "lucide-react";
import { useState } from "react";
import { type ChangeKind, openChange } from "../../../change/change.ts";
import { unlessRefused } from "../../../change/refusals.ts";
import { useShortcuts } from "../../../keys/keys.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { useReading } from "../reading.ts";
import { ExportDialog } from "./export-dialog.tsx";

/** Changes that have no key, as the palette calls them. */
const KEYLESS = [
  { kind: "handoff", label: "Continue in another program" },
  { kind: "delete", label: "Delete this session" },
] as const;

export function MoreMenu() {
  const { key, session, state, refusalOf } = useReading();
  const navigate = useNavigate();
  const [isExporting, setExporting] = useState(false);
  const change = (kind: ChangeKind, input?: () => Readonly<Record<string, unknown>>) => ({
    refusal: refusalOf(kind),
    run: () => openChange({ kind, sessions: [key], title: session.title, ...(input && { input: input() }) }),
  });
  useShortcuts([
    { keys: "e", label: "Export this session", group: "Session", run: () => setExporting(true) },
    ...KEYLESS.map(({ kind, label }) =>
      unlessRefused({ keys: "", label, group: "Session", ...change(kind) }),
    ),
  ]);
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More">
            <EllipsisVertical />
          </IconButton>
        }
        items={[
          {
            label: "Fork here…",
            keys: "f",
            icon: <GitFork />,
            ...change("fork", () => ({ at: state.current.get() })),
          },
          {
            label: "Rewind to here…",
            keys: "r",
            icon: <Undo2 />,
            ...change("rewind", () => ({ to: state.current.get() })),
          },
          { label: "Clone…", keys: "c", icon: <Copy />, ...change("clone") },
          { label: "Compact…", icon: <Minimize2 />, ...change("compact") },
          { label: "Continue in another program…", icon: <Send />, ...change("handoff") },
          { label: "Rename…", icon: <Pencil />, isApart: true, ...change("rename") },
          { label: "Move…", icon: <ArrowRightLeft />, ...change("move") },
          {
            label: "Compare with another…",
            icon: <Scale />,
            run: () => void navigate({ to: "/diff", search: { a: key } }),
          },
          { label: "Export…", keys: "e", icon: <Download />, isApart: true, run: () => setExporting(true) },
          {
            label: "Find in this session",
            keys: "mod+f",
            icon: <Search />,
            run: () => state.isFinding.set(true),
          },
          {
            label: "Show only its family",
            icon: <Archive />,
            run: () => void navigate({ to: "/tree", search: { session: key } }),
          },
          {
            label: "Delete…",
            icon: <Trash2 />,
            isApart: true,
            isDanger: true,
            ...change("delete"),
          },
        ]}
      />
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
    </>
  );
}
