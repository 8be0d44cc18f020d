/** Two sessions about a folder that was renamed afterwards, so that VS Code no longer shows them. */
import { type Chapter, vscode } from "../telling.ts";

const retries = vscode(
  "rates-retries",
  { title: "Retry the exchange rate provider with backoff", when: "39d 11:15", branch: "main" },
  `
  > The exchange rate provider answers 503 now and then and our job fails. Add retries, but don't hammer them.
  @read rates/fetch.py
  | def fetch(day: date) -> Rates:
  |     response = httpx.get(URL, params={"day": day.isoformat()})
  |     response.raise_for_status()
  |     return Rates.parse(response.json())

  Retry only what may get better by waiting (503, 429, time-outs), with growing pauses and some chance in them, so that all our workers do not
  come back in the same second:

  ´´´python
  PAUSES = [0.5, 1, 2, 4, 8]

  def pause(attempt: int) -> float:
      return PAUSES[attempt] * random.uniform(0.5, 1.5)
  ´´´

  If the answer has a ´Retry-After´ header, that wins.

  > Implement it, no library.
  @edit rates/fetch.py
  -     response = httpx.get(URL, params={"day": day.isoformat()})
  -     response.raise_for_status()
  +     response = with_retries(lambda: httpx.get(URL, params={"day": day.isoformat()}, timeout=5))
  @run pytest -q tests/test_fetch.py # Run the tests
  | 9 passed in 0.21s

  In place, with a clock that the tests can turn: nine tests in 0.2 s, none of them sleeps. A 404 is still an error at once.

  > How long can a call take at worst now?

  Six attempts of 5 s each plus pauses of at most 23 s: **53 seconds**. The job's limit is two minutes, so one more day per run would fit, two would not.
  If that gets tight, lower the time-out to 3 s; their 99th percentile is 800 ms.
`,
);

const weekends = vscode(
  "rates-weekends",
  { title: "Which rate counts on a Sunday?", when: "34d 09:40", branch: "main" },
  `
  > Finance asks for the rate of a Sunday and we return null. What do others do?

  There is no Sunday rate; markets are closed. The usual rule is **the last known rate before that day**, and to say which day it is from:

  ´´´json
  { "day": "2026-03-15", "rate": "1.0875", "asOf": "2026-03-13" }
  ´´´

  Interpolating would invent a number that nobody traded at.

  > Good. As a query on our table rates(currency, day, rate)?

  ´´´sql
  SELECT $2::date AS day, rate, day AS as_of
  FROM rates
  WHERE currency = $1 AND day <= $2
  ORDER BY day DESC
  LIMIT 1;
  ´´´

  With the primary key ´(currency, day)´ that is one step in the index. Add ´AND day > $2 - 7´ if a rate older than a week should count as missing.
`,
);

export const rates: Chapter = {
  folder: "rates-service",
  repository: "tidewater/rates-api",
  renamedTo: "rates-api",
  tellings: [retries, weekends],
};
