/** The views of a hub on the rail, in order. */
import {
  ChartColumn,
  ClipboardList,
  Database,
  FileClock,
  Home,
  List,
  ScrollText,
  Search,
  Server,
  Share2,
  Users,
} from "lucide-react";
import type { Place } from "../../shell/places.ts";

export const HUB_PLACES: readonly Place[] = [
  { to: "/", label: "Home", keys: "g h", icon: Home },
  { to: "/sessions", label: "Sessions", keys: "g s", icon: List },
  { to: "/search", label: "Search", keys: "g f", icon: Search },
  { to: "/reports", label: "Standup", keys: "g r", icon: ClipboardList },
  { to: "/blame", label: "Blame", keys: "g l", icon: FileClock },
  { to: "/stats", label: "Statistics", keys: "g t", icon: ChartColumn },
  { to: "/sql", label: "SQL", keys: "g q", icon: Database },
  { to: "/sharing", label: "Sharing", keys: "g e", icon: Share2 },
  { to: "/people", label: "People", keys: "g p", icon: Users },
];

/** Others are not told that there is something to see. */
export const ADMIN_PLACES: readonly Place[] = [
  { to: "/audit", label: "Audit log", keys: "g a", icon: ScrollText },
  { to: "/status", label: "Status", keys: "g u", icon: Server },
];
