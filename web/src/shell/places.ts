/** The views on the rail, in order. */
import {
  Activity,
  ClipboardList,
  Database,
  FileClock,
  GitFork,
  History,
  Home,
  List,
  type LucideIcon,
  MessageSquare,
  Search,
  Settings,
  StickyNote,
} from "lucide-react";

export interface Place {
  readonly to:
    | "/"
    | "/sessions"
    | "/search"
    | "/tree"
    | "/blame"
    | "/sql"
    | "/chat"
    | "/board"
    | "/doctor"
    | "/history"
    | "/reports"
    | "/settings"
    | "/stats"
    | "/sharing"
    | "/people"
    | "/audit"
    | "/status";
  readonly label: string;
  readonly keys: string;
  readonly icon: LucideIcon;
  /** At the lower end of the rail. */
  readonly isLast?: boolean;
}

export const PLACES: readonly Place[] = [
  { to: "/", label: "Home", keys: "g h", icon: Home },
  { to: "/sessions", label: "Sessions", keys: "g s", icon: List },
  { to: "/search", label: "Search", keys: "g f", icon: Search },
  { to: "/tree", label: "Tree", keys: "g t", icon: GitFork },
  { to: "/blame", label: "Blame", keys: "g l", icon: FileClock },
  { to: "/sql", label: "SQL", keys: "g q", icon: Database },
  { to: "/chat", label: "Chat", keys: "g c", icon: MessageSquare },
  { to: "/board", label: "Board", keys: "g b", icon: StickyNote },
  { to: "/doctor", label: "Doctor", keys: "g d", icon: Activity },
  { to: "/history", label: "History", keys: "g w", icon: History },
  { to: "/reports", label: "Reports", keys: "g r", icon: ClipboardList },
  { to: "/settings", label: "Settings", keys: "g ,", icon: Settings, isLast: true },
];
