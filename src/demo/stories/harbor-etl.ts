/** A data pipeline in Python: memory, daylight saving, accents, slow SQL, and a backfill that was cut off. */
import { type Chapter, claude, copilot, vscode } from "../telling.ts";

const parquetMemory = claude(
  "parquet-memory",
  { title: "Nightly load runs out of memory", when: "79d 07:20", branch: "fix/load-memory" },
  `
  > The nightly load of port calls was killed again (exit 137, limit 4 GiB). The input is only 900 MB of Parquet. Why?
  @read etl/load.py
  | def load(path: Path) -> pd.DataFrame:
  |     frame = pd.read_parquet(path)
  |     frame["vessel"] = frame["vessel"].astype(str)
  |     frame = frame.merge(pd.read_parquet(VESSELS), on="imo")
  |     return frame.sort_values("arrived_at")
  @run python tools/peak.py etl.load:load data/sample.parquet # Measure on a tenth
  | peak 611 MiB after read_parquet
  | peak 1004 MiB after astype(str)
  | peak 1832 MiB after merge
  | peak 2417 MiB after sort_values

  On a tenth of the data the peak is already 2.4 GiB. Parquet keeps ´vessel´ as a dictionary of 40,000 names; ´astype(str)´
  makes **one Python string per row**, and both ´merge´ and ´sort_values´ then copy the whole frame.

  > What is the smallest change that gets us under 4 GiB?

  Three lines, in this order of effect:

  1. Read only the nine columns that are used: ´pd.read_parquet(path, columns=COLUMNS)´.
  2. Keep ´vessel´ as ´category´ instead of ´astype(str)´.
  3. Sort by index in place of a full copy, or not at all: the sink sorts again anyway.

  > Does the sink really sort again?
  @search ORDER BY|sort in etl/sink.py
  | etl/sink.py:44:    COPY (SELECT * FROM staged ORDER BY arrived_at, imo) TO ...

  Yes, line 44. The sort in ´load´ is work for nothing.

  > Then do 1 and 2 and remove the sort.
  @edit etl/load.py
  -     frame = pd.read_parquet(path)
  -     frame["vessel"] = frame["vessel"].astype(str)
  +     frame = pd.read_parquet(path, columns=COLUMNS)
  +     frame["vessel"] = frame["vessel"].astype("category")
  @edit etl/load.py
  -     return frame.sort_values("arrived_at")
  +     return frame
  @run python tools/peak.py etl.load:load data/sample.parquet # Measure again
  | peak 97 MiB after read_parquet
  | peak 131 MiB after merge
  @run pytest -q tests/test_load.py # Run the tests
  | 18 passed in 2.31s

  Peak on the sample: 2417 MiB → **131 MiB**. For the whole file I expect about 1.3 GiB.
`,
);

const dstHour = copilot(
  "dst-hour",
  {
    title: "One hour of arrivals is counted twice in October",
    when: "62d 11:05",
    model: "gpt-5",
    branch: "fix/dst",
  },
  `
  > The hourly chart for Rotterdam shows a double bar on the last Sunday of October. Which of our steps is guilty?
  @search tz_localize|tz_convert in etl
  | etl/transform/hours.py:17:    local = frame["arrived_at"].dt.tz_convert(port.zone)
  | etl/transform/hours.py:18:    frame["hour"] = local.dt.strftime("%Y-%m-%d %H:00")

  ´hours.py´ formats the **local** hour without its offset. When the clocks go back, 02:00 exists twice; both hours get the
  same text and are added together. In March the hour 02:00 is missing for the same reason.

  > How would you key it?

  By the hour in UTC, and show it in local time at the very end. If a report needs the local label in the data, keep the
  offset in it: ´2025-10-26 02:00+02:00´ and ´2025-10-26 02:00+01:00´ are different hours.

  > Do it with UTC keys.
  @edit etl/transform/hours.py
  -     local = frame["arrived_at"].dt.tz_convert(port.zone)
  -     frame["hour"] = local.dt.strftime("%Y-%m-%d %H:00")
  +     frame["hour"] = frame["arrived_at"].dt.tz_convert("UTC").dt.floor("h")
  @failed run pytest -q tests/test_hours.py # Run the tests
  | E   AssertionError: assert Timestamp('2025-07-01 10:00:00+0000') == '2025-07-01 12:00'
  | 1 failed, 6 passed in 0.88s

  The failing test expects the text. I'll change it to the timestamp and add one for each of the two Sundays.
  @create tests/test_hours_dst.py
  | def test_the_hour_that_comes_twice_stays_two_hours():
  |     frame = arrivals("2025-10-26T00:30Z", "2025-10-26T01:30Z", zone="Europe/Amsterdam")
  |     assert list(hours(frame)["count"]) == [1, 1]
  @run pytest -q tests # Run all tests
  | 214 passed in 9.12s
  @run git commit -am "Key hourly counts by UTC hour" # Commit
  | [fix/dst 2f6c018] Key hourly counts by UTC hour
  |  4 files changed, 29 insertions(+), 8 deletions(-)

  214 tests pass, committed as ´2f6c018´. The dashboards read ´hour´ as a timestamp already, so they need no change.
`,
);

const windowQuery = vscode(
  "window-query",
  {
    title: "Speed up the berth occupancy query",
    when: "40d 09:50",
    model: "claude-sonnet-4.5",
    branch: "main",
  },
  `
  > This runs 42 s on 80 million rows. Only the latest call per berth is needed. Ideas?
  >
  > SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY berth_id ORDER BY arrived_at DESC) AS n FROM calls) x
  > WHERE n = 1

  The window function must number all 80 million rows before it can throw away all but 900. With an index on
  ´(berth_id, arrived_at DESC)´ you can jump from berth to berth instead:

  ´´´sql
  SELECT c.*
  FROM berths b
  CROSS JOIN LATERAL (
    SELECT * FROM calls WHERE berth_id = b.id ORDER BY arrived_at DESC LIMIT 1
  ) c;
  ´´´

  That is 900 index look-ups of one row each.

  > Does DISTINCT ON do the same?

  It gives the same result and reads nicely, but PostgreSQL still walks the whole index: it has no skip scan for
  ´DISTINCT ON´. On your table I would expect 8 to 12 seconds, against milliseconds for the lateral join.

  > 31 ms! Can you explain the plan to me line by line?
  @run psql harbor -c "EXPLAIN (ANALYZE, BUFFERS) SELECT c.* FROM berths b CROSS JOIN LATERAL (…) c" # Fetch the plan
  | Nested Loop  (actual time=0.06..30.7 rows=897 loops=1)
  |   Buffers: shared hit=4490
  |   ->  Seq Scan on berths b  (actual time=0.01..0.2 rows=900 loops=1)
  |   ->  Limit  (actual time=0.03..0.03 rows=1 loops=900)
  |         ->  Index Scan using calls_berth_arrived on calls  (actual time=0.03..0.03 rows=1 loops=900)
  | Execution Time: 31.0 ms

  From the inside out:

  - **Index Scan … loops=900**: for each berth, descend the index once and take the first entry, about five pages.
  - **Limit**: stops after that one row. This is what the window function could not do.
  - **Seq Scan on berths**: reading 900 rows whole is cheaper than any index.
  - **Buffers: shared hit=4490**: 900 × 5 pages, all from memory; nothing was read from disk.

  Three berths have no call yet, hence 897 rows. Use ´LEFT JOIN LATERAL … ON true´ if they should appear.
`,
);

const accents = claude(
  "noms-de-ports",
  { title: "Noms de ports illisibles après l'import", when: "28d 14:22", branch: "fix/encodage" },
  `
  > Après l'import, « Fécamp » devient « FÃ©camp » et « Málaga » devient « MÃ¡laga ». D'où ça vient, et comment réparer
  > les lignes déjà importées ?
  @run head -c 64 data/ports.csv | xxd | head -2 # Regarder les octets du fichier
  | 00000000: 706f 7274 3b70 6179 730a 46c3 a963 616d  port;pays.F..cam
  | 00000010: 703b 4652 0a4d c3a1 6c61 6761 3b45 530a  p;FR.M..laga;ES.
  @search encoding= in etl
  | etl/ports.py:9:    with open(path, encoding="latin-1") as file:

  Le fichier est en UTF-8 (´c3 a9´ = é), mais ´etl/ports.py´ le lit en Latin-1 : chaque octet devient un caractère.
  Pour réparer les lignes existantes, il suffit de refaire le chemin à l'envers :

  ´´´python
  def repair(name: str) -> str:
      return name.encode("latin-1").decode("utf-8")
  ´´´

  > Et si une ligne était déjà correcte ?

  Alors ´decode("utf-8")´ échoue sur la plupart des noms accentués, et on garde l'original. Un nom sans accent ne change
  pas. Je traite donc l'erreur comme « déjà bon » :
  @edit etl/ports.py
  -     with open(path, encoding="latin-1") as file:
  +     with open(path, encoding="utf-8") as file:
  @create etl/repair_ports.py
  | def repair(name: str) -> str:
  |     """Undo one wrong reading as Latin-1; a name that was read rightly is left alone."""
  |     try:
  |         return name.encode("latin-1").decode("utf-8")
  |     except (UnicodeEncodeError, UnicodeDecodeError):
  |         return name
  @run python -m etl.repair_ports --dry-run # Voir ce qui changerait
  | 312 of 8204 names would change, e.g. FÃ©camp -> Fécamp, MÃ¡laga -> Málaga, MalmÃ¶ -> Malmö

  312 noms seraient corrigés, aucun nom déjà correct n'est touché. Je lance sans ´--dry-run´ ?

  > Oui, vas-y.
  @run python -m etl.repair_ports # Corriger
  | 312 names repaired

  C'est fait : 312 noms corrigés.
`,
);

const ciWheels = copilot(
  "ci-wheels",
  { title: "CI builds numpy from source since yesterday", when: "19d 16:40", branch: "main" },
  `
  > CI went from 4 to 26 minutes overnight. Nothing merged. Here is the log: https://ci.example.net/harbor-etl/3391
  @run gh run view 3391 --log | grep -n "Building wheel" # What is it building?
  | 118: Building wheel for numpy (pyproject.toml): started
  | 119: Building wheel for numpy (pyproject.toml): still running...

  It compiles numpy. That happens when no wheel fits, and the usual reason for "nothing changed" is a new base image:
  @run gh run view 3391 --log | grep -n "Python 3" # Which Python?
  | 12: Python 3.15.0rc1

  The image ´python:3´ moved to a release candidate of 3.15, for which there are no wheels yet.

  > Pin it, in one place. And use uv, not pip.
  @edit .github/workflows/test.yml
  -     container: python:3
  -     steps: [pip install -r requirements.txt]
  +     container: python:3.14-slim
  +     steps: [uv sync --locked]
  @run git commit -am "Pin CI to Python 3.14" && git push # Commit and push
  | [main b8d4410] Pin CI to Python 3.14
  |  1 file changed, 1 insertion(+), 1 deletion(-)
  @run gh run watch --exit-status # Wait for the run
  | ✓ main test · 3392  3m48s

  Back to 3m48s. Dependabot can raise the pin when the wheels exist.
`,
);

const slots = vscode(
  "dataclass-slots",
  { title: "What does slots=True change?", when: "1d 17:31" },
  `
  > In one paragraph: what does slots=True on a dataclass change, and is it worth it for our 2 million Call objects?

  With ´slots=True´ an instance stores its fields in fixed places instead of a ´__dict__´. That saves the dictionary, roughly
  half of the memory of a small object, and makes attribute access slightly faster; in exchange you cannot add attributes
  that were not declared, and ´functools.cached_property´ stops working. For two million ´Call´ objects with six fields I would
  expect about 200 MB less, so yes. The bigger win would be not to make two million objects: keep the data in columns and
  build a ´Call´ only where one is shown.
`,
);

const backfill = copilot(
  "backfill",
  {
    title: "Backfill script for the missing quarter",
    when: "6d 18:05",
    branch: "ops/backfill",
    damage: "torn",
  },
  `
  > Write a backfill for July to September: 92 days, restartable, at most four days at a time.
  @create tools/backfill.py
  | """Runs the daily load for a range of days; a day that is done is skipped, so it can be stopped at any time."""
  | def backfill(first: date, last: date, workers: int = 4) -> None:
  |     days = [day for day in span(first, last) if not marker(day).exists()]
  |     with ThreadPoolExecutor(workers) as pool:
  |         for day in pool.map(load_day, days):
  |             marker(day).touch()

  Each finished day leaves a marker file, so a second start goes on where the first one stopped.

  > Marker before or after the rows are committed?

  After, and only then: ´load_day´ returns when the transaction is committed. If the machine dies between commit and marker, the
  day runs twice, which is harmless because ´load_day´ deletes the day before it inserts.

  > Start it and tell me how it goes.
  @run python tools/backfill.py 2026-07-01 2026-09-30 # Start the backfill
  | 2026-07-01 done   418,220 rows
  | 2026-07-02 done   401,975 rows
  | 2026-07-03 done   399,310 rows
  | 2026-07-04 done   371,004 rows
  | … 88 days left, about 3 h 40 min

  Four days in ten minutes; the whole quarter should be done in under four hours. The slowest step is the upload, so more workers
  would not help. I keep watching and will say when it is through or when a day fails twice.
`,
);

export const harborEtl: Chapter = {
  folder: "harbor-etl",
  repository: "tidewater/harbor-etl",
  tellings: [parquetMemory, dstHour, windowQuery, accents, ciWheels, slots, backfill],
};
