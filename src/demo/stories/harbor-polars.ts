/** The pipeline's longest session: moving the transforms from pandas to polars, one module at a time. */
import { type Chapter, claude } from "../telling.ts";

const polars = claude(
  "polars-migration",
  { title: "Move the transforms from pandas to polars", when: "52d 08:15", branch: "feat/polars" },
  `
  > We want to move etl/transform from pandas to polars, module by module, with equal results. Start with an inventory.
  @run ls etl/transform && wc -l etl/transform/*.py | tail -1 # List the modules
  | berths.py  hours.py  joins.py  names.py  tides.py  weights.py
  | 842 total
  @search .apply( in etl/transform
  | etl/transform/names.py:22:    return frame["name"].apply(normalize)
  | etl/transform/tides.py:31:    frame["level"] = frame.apply(interpolate, axis=1)
  | etl/transform/weights.py:15:    frame["class"] = frame["tons"].apply(weight_class)
  @think
  | Six modules. apply() is where pandas code is slow and where a translation is not mechanical. Order: small and pure first,
  | joins last, because joins decide about null keys and duplicate columns, where the two libraries differ.

  Six modules, 842 lines. I'd go in this order:

  | module | lines | why there |
  |---|---|---|
  | weights | 61 | pure, one ´apply´: a good first |
  | names | 74 | text only |
  | hours | 88 | time zones, well tested |
  | berths | 170 | group by |
  | tides | 190 | ´apply(axis=1)´, the slow one |
  | joins | 259 | null keys behave differently |

  > How do we prove equal results?

  With a test that runs both implementations on a week of real data and compares them column by column, plus property tests
  on made-up frames with nulls, duplicates and empty input. The old module stays beside the new one until the test has been
  green for a week.

  > Good. Write that test harness first.
  @create tests/same.py
  | def assert_same(old: pd.DataFrame, new: pl.DataFrame, keys: list[str]) -> None:
  |     """Equal as data: order of rows and the kind of null do not count, values and types do."""
  |     left = pl.from_pandas(old).sort(keys)
  |     right = new.sort(keys)
  |     assert left.schema == right.schema
  |     assert_frame_equal(left, right, check_exact=False, rtol=1e-9)

  ´assert_same´ ignores row order and does not tell NaN from null, because pandas cannot. Everything else counts.

  > weights, please.
  @edit etl/transform/weights.py
  -     frame["class"] = frame["tons"].apply(weight_class)
  +     return frame.with_columns(pl.col("tons").cut(LIMITS, labels=CLASSES).alias("class"))
  @failed run pytest -q tests/test_weights_same.py # Compare both on a week of data
  | E   AssertionError: values for column "class" are different: row 118: "handy" != "handymax" (tons = 35000)

  Exactly on a limit they differ: ´weight_class´ uses ´tons < limit´, while ´cut´ closes intervals on the right. ´left_closed=True´
  restores the old rule.
  @edit etl/transform/weights.py
  - cut(LIMITS, labels=CLASSES)
  + cut(LIMITS, labels=CLASSES, left_closed=True)
  @run pytest -q tests/test_weights_same.py # Compare again
  | 3 passed in 1.02s

  Equal now. Good that a ship had exactly 35,000 tons.

  > Next: names.
  @edit etl/transform/names.py
  -     return frame["name"].apply(normalize)
  +     return frame.with_columns(pl.col("name").str.strip_chars().str.to_uppercase().str.replace_all(r"[^A-Z0-9]+", " "))
  @failed run pytest -q tests/test_names_same.py # Compare both
  | E   AssertionError: row 2041: "SAO JORGE" != "S O JORGE"

  The old ´normalize´ takes accents away first (´unicodedata.normalize("NFKD")´). I add ´.str.normalize("NFKD")´ before the
  replacement and drop the combining marks.
  @run pytest -q tests/test_names_same.py # Compare again
  | 3 passed in 0.97s

  Equal.

  > hours.
  @edit etl/transform/hours.py
  - frame["hour"] = frame["arrived_at"].dt.tz_convert("UTC").dt.floor("h")
  + return frame.with_columns(pl.col("arrived_at").dt.convert_time_zone("UTC").dt.truncate("1h").alias("hour"))
  @run pytest -q tests/test_hours_same.py tests/test_hours_dst.py # Compare, and the Sundays in March and October
  | 9 passed in 1.40s

  Equal at once; counting by UTC hour pays off.

  > berths next. Watch the group by: dropna.
  @think
  | pandas groupby drops null keys by default, polars keeps them as a group of their own. The old behaviour lost calls without
  | a berth silently. Was that intended? Ask rather than imitate.

  One question first: pandas drops rows whose ´berth_id´ is null when grouping, polars keeps them as a group. Today 1.3 % of the
  calls vanish from the totals that way. Imitate, or fix?

  > Huh. Fix it, but as a separate commit so that the numbers can be explained.
  @edit etl/transform/berths.py
  -     return frame.groupby("berth_id").agg(calls=("imo", "count"))
  +     return frame.filter(pl.col("berth_id").is_not_null()).group_by("berth_id").agg(calls=pl.len())
  @run git commit -am "Move berths to polars, results unchanged" # First the equal version
  | [feat/polars 60ac7d9] Move berths to polars, results unchanged
  |  2 files changed, 38 insertions(+), 35 deletions(-)
  @edit etl/transform/berths.py
  -     return frame.filter(pl.col("berth_id").is_not_null()).group_by("berth_id").agg(calls=pl.len())
  +     return frame.group_by("berth_id").agg(calls=pl.len())
  @run git commit -am "Count calls without a berth" # Then the fix
  | [feat/polars 1be0f52] Count calls without a berth
  |  2 files changed, 6 insertions(+), 2 deletions(-)

  Two commits: ´60ac7d9´ changes nothing, ´1be0f52´ brings back the 1.3 %.

  > Now tides, the slow one.
  @read etl/transform/tides.py
  | def interpolate(row):
  |     before, after = gauges.around(row.port, row.arrived_at)
  |     share = (row.arrived_at - before.time) / (after.time - before.time)
  |     return before.level + share * (after.level - before.level)

  A look-up and a linear interpolation per row, in Python: 6 minutes a night. As a join on time it needs no loop:
  @edit etl/transform/tides.py
  -     frame["level"] = frame.apply(interpolate, axis=1)
  +     before = frame.join_asof(gauges, left_on="arrived_at", right_on="time", by="port", strategy="backward")
  +     after = frame.join_asof(gauges, left_on="arrived_at", right_on="time", by="port", strategy="forward")
  +     return between(before, after)
  @run pytest -q tests/test_tides_same.py --durations=1 # Compare and time
  | 4 passed in 3.11s
  | 1.92s call tests/test_tides_same.py::test_a_week_of_real_data

  Equal within 1e-9, and a week takes **1.9 s instead of 41 s**.

  > Wow. What if a call lies exactly on a gauge reading?

  Then ´before´ and ´after´ are the same reading and the share would be 0 / 0. I return the level itself in that case; the property
  test had found it before you asked.
  @compacted Transforms from pandas to polars
  | The modules of etl/transform are moved from pandas to polars one at a time; tests/same.py compares old and new on a week
  | of real data. Done and equal: weights (left_closed intervals), names (accents removed first), hours (UTC), berths (null
  | keys: commit 60ac7d9 keeps the old result, 1be0f52 counts calls without a berth), tides (join_asof, 41 s to 1.9 s). Left:
  | joins.py, where null keys and duplicate columns differ, then removing the old modules and the pandas dependency.

  @after 23h
  > Morning. Last one: joins. What differs?

  Three things, all silent:

  1. **Null keys**: pandas matches null with null, polars does not (unless ´nulls_equal=True´).
  2. **Column names**: ´_x´ / ´_y´ against ´_right´ on the second only.
  3. **Order**: pandas keeps the left order for ´how="left"´; polars promises it only with ´maintain_order="left"´.
  @search merge( in etl/transform/joins.py
  | etl/transform/joins.py:40:    calls = calls.merge(vessels, on="imo", how="left")
  | etl/transform/joins.py:77:    calls = calls.merge(agents, on=["port", "agent"], how="left")

  ´imo´ is never null. ´agent´ is, in a third of the rows, and there pandas matched null with null: every call without an agent got
  the agent that has no name. Nobody wants that.

  > Same procedure: equal first, fix second.
  @edit etl/transform/joins.py
  -     calls = calls.merge(agents, on=["port", "agent"], how="left")
  +     calls = calls.join(agents, on=["port", "agent"], how="left", nulls_equal=True, maintain_order="left")
  @run pytest -q tests/test_joins_same.py # Compare both
  | 5 passed in 2.20s
  @run git commit -am "Move joins to polars, results unchanged" # The equal version
  | [feat/polars d2c9914] Move joins to polars, results unchanged
  |  2 files changed, 61 insertions(+), 70 deletions(-)

  Equal. The fix is the removal of ´nulls_equal=True´, in a commit of its own (´e70b3f6´).

  > How long does the whole night take now?
  @run python tools/time_night.py --days 7 # Time the last seven nights
  | pandas  9 min 52 s  peak 1.3 GiB
  | polars     48 s     peak 0.6 GiB

  **48 seconds** instead of almost ten minutes, with half of the memory.

  > Remove pandas. Use uv, not pip.
  @failed run uv remove pandas && pytest -q # Remove it and run everything
  | E   ModuleNotFoundError: No module named 'pandas'
  | tests/same.py:1
  | 6 errors in 1.12s

  Only the comparison needs it now. Since the old modules go too, ´tests/same.py´ and the six ´*_same´ tests have done their job;
  I turn their samples into ordinary expectations first.
  @run pytest -q # Run everything without pandas
  | 231 passed in 6.08s

  231 tests, no pandas.

  > Write the pull request text. Mention the two changes of numbers prominently.
  @run gh pr create --title "Transforms on polars" --body-file pr.md # Open the pull request
  | https://github.com/tidewater/harbor-etl/pull/88

  Opened https://github.com/tidewater/harbor-etl/pull/88. It begins with the numbers that change: calls without a berth are now
  counted (+1.3 %), and calls without an agent no longer get one.
`,
);

export const harborPolars: Chapter = {
  folder: "harbor-etl",
  repository: "tidewater/harbor-etl",
  tellings: [polars],
};
