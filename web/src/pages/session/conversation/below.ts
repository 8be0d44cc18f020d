/** Paths as they are told apart: below the workspace its own path says nothing new. */
export function below(workspace: string | null, path: string): string {
  const root = (workspace ?? "").replace(/[\\/]+$/, "");
  if (root === "" || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}
