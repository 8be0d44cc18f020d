/** The version; a separate file, because package.json is parsed only on demand. */
import description from "../../package.json" with { type: "json" };

export const VERSION: string = description.version;
