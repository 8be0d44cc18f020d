/** A process that appends records to a session on the hub, and says so of each, until it is killed. */
import { openHubSessions } from "../../src/hub/provider/contract.ts";

const [url = "", token = "", sessionId = ""] = process.argv.slice(2);
const sessions = await openHubSessions({ url, token, leaseMs: 500 });
const provider = sessions.provider({ sessionId });
for (let number = 0; ; number++) {
  const text = "x".repeat((number * 7919) % 600_000);
  await provider.appendFile("/session/events.jsonl", `${JSON.stringify({ number, text })}\n`);
  process.stdout.write(`${number}\n`);
}
