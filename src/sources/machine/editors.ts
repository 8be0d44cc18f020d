/** The process names of VS Code and its variants. */
import { namesOfProgram, type ProcessFacts } from "../../platform/process/ps.ts";

/** Executables, by the last part of their paths; helpers on macOS have theirs in "Code Helper (Plugin)" and the like. */
const EXECUTABLE =
  /(^|[\\/])(code|code - (insiders|oss)|code-(insiders|oss|server|tunnel)|(vs)?codium(-insiders)?|cursor|windsurf|electron)( helper( \([\w ]+\))?)?(\.exe|\.bin)?$/i;
/** Folders of their installations, for servers and helpers that run in a plain Node. */
const INSTALLED =
  /[\\/](code-server|openvscode-server|\.?(vscode|vscodium|cursor|windsurf)-server(-insiders|-oss)?|visual studio code[^\\/]*\.app|vscodium\.app|cursor\.app|windsurf\.app)([\\/]|$)/i;
/** `ps` parts the words of a path at its spaces. */
const APPLICATION = /\/(Visual Studio Code|VSCodium|Cursor|Windsurf)[\w -]*\.app\//i;

export function isEditor(facts: ProcessFacts): boolean {
  return (
    namesOfProgram(facts).some((name) => EXECUTABLE.test(name) || INSTALLED.test(name)) ||
    APPLICATION.test(facts.words.join(" "))
  );
}
