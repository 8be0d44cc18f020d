/** The address of every view; each view is loaded when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { isHub } from "./lib/mode.ts";
import { part } from "./live/version.ts";
import { NotFound, RouteError } from "./shell/route-states.tsx";
import { Shell } from "./shell/shell.tsx";

const HubShell = lazy(async () => ({
  default: (await part(() => import("./hub/shell/shell.tsx"))).HubShell,
}));

const root = createRootRoute({
  component: () =>
    isHub() ? (
      <Suspense>
        <HubShell />
      </Suspense>
    ) : (
      <Shell />
    ),
  notFoundComponent: NotFound,
  errorComponent: RouteError,
});

/** What the other kind of server serves has no page here. */
const onlyHere = (): void => {
  if (isHub()) throw notFound();
};
const onlyOnHub = (): void => {
  if (!isHub()) throw notFound();
};

type Loose<T> = Partial<T> & SearchSchemaInput;
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
const whole = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
};
const flag = (value: unknown): true | undefined =>
  value === true || value === "true" || value === 1 || value === "1" ? true : undefined;
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never;

/** What narrows a list of sessions, as it stands in the address. */
export interface Filters {
  readonly q?: string;
  readonly source?: string;
  readonly repo?: string;
  readonly workspace?: string;
  readonly branch?: string;
  readonly model?: string;
  readonly since?: string;
  readonly until?: string;
  readonly problems?: true;
  readonly copies?: true;
  /** Several are separated by commas: sessions have all of them. */
  readonly tag?: string;
  readonly sort?: string;
  /** On a hub: whose sessions, and those that this team sees. */
  readonly person?: string;
  readonly team?: string;
}

const filters = (search: Loose<Filters>): Filters =>
  given({
    q: text(search.q),
    source: text(search.source),
    repo: text(search.repo),
    workspace: text(search.workspace),
    branch: text(search.branch),
    model: text(search.model),
    since: text(search.since),
    until: text(search.until),
    problems: flag(search.problems),
    copies: flag(search.copies),
    tag: text(search.tag),
    sort: text(search.sort),
    person: text(search.person),
    team: text(search.team),
  });

export const homeRoute = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(
    () => (isHub() ? part(() => import("./hub/home/home.tsx")) : part(() => import("./pages/home/home.tsx"))),
    "Home",
  ),
});
export const sessionsRoute = createRoute({
  getParentRoute: () => root,
  path: "/sessions",
  validateSearch: filters,
  component: lazyRouteComponent(
    () =>
      isHub()
        ? part(() => import("./hub/sessions/sessions.tsx"))
        : part(() => import("./pages/sessions/sessions.tsx")),
    "Sessions",
  ),
});
export const sessionRoute = createRoute({
  getParentRoute: () => root,
  path: "/s/$key",
  validateSearch: (search: Loose<Filters & { turn: number; find: string }>) => ({
    ...filters(search),
    ...given({ turn: whole(search.turn), find: text(search.find) }),
  }),
  component: lazyRouteComponent(
    () =>
      isHub()
        ? part(() => import("./hub/session/session.tsx"))
        : part(() => import("./pages/session/session.tsx")),
    "SessionPage",
  ),
});
export const searchRoute = createRoute({
  getParentRoute: () => root,
  path: "/search",
  validateSearch: (search: Loose<Filters & { role: string; file: string; tool: string }>) => ({
    ...filters(search),
    ...given({ role: text(search.role), file: text(search.file), tool: text(search.tool) }),
  }),
  component: lazyRouteComponent(() => part(() => import("./pages/search/search.tsx")), "Search"),
});
export const treeRoute = createRoute({
  getParentRoute: () => root,
  path: "/tree",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ session: string; all: boolean }>) =>
    given({ session: text(search.session), all: flag(search.all) }),
  component: lazyRouteComponent(() => part(() => import("./pages/tree/tree.tsx")), "Tree"),
});
export const diffRoute = createRoute({
  getParentRoute: () => root,
  path: "/diff",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ a: string; b: string }>) =>
    given({ a: text(search.a), b: text(search.b) }),
  component: lazyRouteComponent(() => part(() => import("./pages/diff/diff.tsx")), "Diff"),
});
export const blameRoute = createRoute({
  getParentRoute: () => root,
  path: "/blame",
  validateSearch: (search: Loose<{ repo: string; file: string; line: number }>) =>
    given({
      /** On a hub, where a file is known by its repository. */
      repo: text(search.repo),
      file: text(search.file),
      line: whole(search.line) || undefined,
    }),
  component: lazyRouteComponent(
    () =>
      isHub() ? part(() => import("./hub/blame/blame.tsx")) : part(() => import("./pages/blame/blame.tsx")),
    "Blame",
  ),
});
export const sqlRoute = createRoute({
  getParentRoute: () => root,
  path: "/sql",
  validateSearch: (search: Loose<{ q: string }>) => given({ q: text(search.q) }),
  component: lazyRouteComponent(
    () => (isHub() ? part(() => import("./hub/sql/sql.tsx")) : part(() => import("./pages/sql/sql.tsx"))),
    "Sql",
  ),
});
export const chatRoute = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ id: string; session: string; workspace: string; new: boolean }>) =>
    given({
      id: text(search.id),
      session: text(search.session),
      workspace: text(search.workspace),
      new: flag(search.new),
    }),
  component: lazyRouteComponent(() => part(() => import("./pages/chat/chat.tsx")), "Chat"),
});
export const boardRoute = createRoute({
  getParentRoute: () => root,
  path: "/board",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ q: string; repo: string; branch: string; item: string }>) =>
    given({
      q: text(search.q),
      repo: text(search.repo),
      branch: text(search.branch),
      item: text(search.item),
    }),
  component: lazyRouteComponent(() => import("./pages/board/board.tsx"), "Board"),
});
export const doctorRoute = createRoute({
  getParentRoute: () => root,
  path: "/doctor",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ source: string; code: string }>) =>
    given({ source: text(search.source), code: text(search.code) }),
  component: lazyRouteComponent(() => part(() => import("./pages/doctor/doctor.tsx")), "Doctor"),
});
export const historyRoute = createRoute({
  getParentRoute: () => root,
  path: "/history",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ operation: string }>) => given({ operation: text(search.operation) }),
  component: lazyRouteComponent(() => part(() => import("./pages/history/history.tsx")), "History"),
});
export const reportsRoute = createRoute({
  getParentRoute: () => root,
  path: "/reports",
  validateSearch: (search: Loose<{ report: string; since: string; person: string; team: string }>) =>
    given({
      report: text(search.report),
      since: text(search.since),
      person: text(search.person),
      team: text(search.team),
    }),
  component: lazyRouteComponent(
    () =>
      isHub()
        ? part(() => import("./hub/reports/reports.tsx"))
        : part(() => import("./pages/reports/reports.tsx")),
    "Reports",
  ),
});
export const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  beforeLoad: onlyHere,
  component: lazyRouteComponent(() => part(() => import("./pages/settings/settings.tsx")), "Settings"),
});
export const cloneRoute = createRoute({
  getParentRoute: () => root,
  path: "/clone",
  beforeLoad: onlyHere,
  validateSearch: (search: Loose<{ session: string; workspace: string }>) =>
    given({ session: text(search.session), workspace: text(search.workspace) }),
  component: lazyRouteComponent(() => part(() => import("./pages/clone/clone.tsx")), "ClonePage"),
});
export const statsRoute = createRoute({
  getParentRoute: () => root,
  path: "/stats",
  beforeLoad: onlyOnHub,
  validateSearch: (search: Loose<{ since: string; person: string; team: string }>) =>
    given({ since: text(search.since), person: text(search.person), team: text(search.team) }),
  component: lazyRouteComponent(() => part(() => import("./hub/stats/stats.tsx")), "Stats"),
});
export const sharingRoute = createRoute({
  getParentRoute: () => root,
  path: "/sharing",
  beforeLoad: onlyOnHub,
  component: lazyRouteComponent(() => part(() => import("./hub/sharing/sharing.tsx")), "Sharing"),
});
export const peopleRoute = createRoute({
  getParentRoute: () => root,
  path: "/people",
  beforeLoad: onlyOnHub,
  component: lazyRouteComponent(() => part(() => import("./hub/people/people.tsx")), "People"),
});
export const auditRoute = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  beforeLoad: onlyOnHub,
  component: lazyRouteComponent(() => part(() => import("./hub/audit/audit.tsx")), "Audit"),
});
export const statusRoute = createRoute({
  getParentRoute: () => root,
  path: "/status",
  beforeLoad: onlyOnHub,
  component: lazyRouteComponent(() => part(() => import("./hub/status/status.tsx")), "Status"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    homeRoute,
    sessionsRoute,
    sessionRoute,
    searchRoute,
    treeRoute,
    diffRoute,
    blameRoute,
    sqlRoute,
    chatRoute,
    boardRoute,
    doctorRoute,
    historyRoute,
    reportsRoute,
    settingsRoute,
    cloneRoute,
    statsRoute,
    sharingRoute,
    peopleRoute,
    auditRoute,
    statusRoute,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  // Plain words in the address: `?q=rate+limiter&turn=7`, as other programs write them.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined);
    const written = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return written === "" ? "" : `?${written}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
