/** Where a URL says that the hub's database is, for a program that logs in as `rethread_app` alone. */
import { AppError } from "../../model/errors.ts";
import type { HubPlace } from "../database/connect.ts";
import { passwordOf, roleName } from "../database/roles.ts";

const PORT = 5432;

export function placeOfUrl(text: string): HubPlace {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw invalid("That is no URL of a PostgreSQL database");
  if (decodeURIComponent(url.username) !== roleName("app"))
    throw invalid(`Applications log in as ${roleName("app")}, not as "${decodeURIComponent(url.username)}"`);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const mode = url.searchParams.get("sslmode") ?? "disable";
  return {
    host: host === "" ? "localhost" : host,
    port: Number(url.searchParams.get("port") ?? (url.port === "" ? PORT : url.port)),
    database: decodeURIComponent(url.pathname.slice(1)),
    secret: "",
    appPassword: decodeURIComponent(url.password),
    // Those in between encrypt without looking at the certificate.
    ...(mode !== "disable" && { ssl: mode.startsWith("verify") ? true : { rejectUnauthorized: false } }),
  };
}

/** The other way round, for the operator of a hub. A folder in the place of a host has the server's socket in it. */
export function urlOfPlace({ host, port, database, secret, ssl }: HubPlace): string {
  const url = new URL(`postgres://localhost:${port}/${encodeURIComponent(database)}`);
  url.username = roleName("app");
  url.password = encodeURIComponent(passwordOf("app", secret));
  if (host.startsWith("/")) url.searchParams.set("host", host);
  else url.hostname = host.includes(":") ? `[${host}]` : host;
  if (ssl) {
    const isLoose = typeof ssl === "object" && ssl.rejectUnauthorized === false;
    url.searchParams.set("sslmode", isLoose ? "require" : "verify-full");
  }
  return url.href;
}

const invalid = (message: string): AppError =>
  new AppError("usage", message, "Pass postgres://rethread_app:<password>@<host>:<port>/<database>");
