/** Which version this is; its own file, because the package description is parsed only when somebody asks. */
import description from "../../package.json" with { type: "json" };

export const VERSION: string = description.version;
