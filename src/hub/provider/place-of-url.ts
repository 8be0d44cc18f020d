/** Where a URL says that the hub's database is, for a program that logs in as `rethread_app` alone. */
import { AppError } from "../../model/errors.ts";
import type { HubPlace } from "../database/connect.ts";
import { roleName } from "../database/roles.ts";

const PORT = 5432;

export function placeOfUrl(text: string): HubPlace {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw invalid("That is no URL of a PostgreSQL database");
  if (decodeURIComponent(url.username) !== roleName("app"))
    throw invalid(`Applications log in as ${roleName("app")}, not as "${decodeURIComponent(url.username)}"`);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
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

const invalid = (message: string): AppError =>
  new AppError("usage", message, "Pass postgres://rethread_app:<password>@<host>:<port>/<database>");
