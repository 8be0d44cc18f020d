/** A hiking app for phones: jank on a map, sync without a network, translations in Japanese, a battery that drains. */
import { type Chapter, claude, copilot, vscode } from "../telling.ts";

const mapJank = vscode(
  "map-jank",
  { title: "Map stutters while panning", when: "77d 18:10", model: "claude-sonnet-4.5", branch: "perf/map" },
  `
  > Panning the map drops to 20 fps on a mid-range phone as soon as more than about 300 trail markers are visible. Where do I look first?
  @read lib/map/marker_layer.dart
  | Widget build(BuildContext context) => Stack(
  |   children: [for (final trail in trails) MarkerWidget(trail: trail, camera: camera)],
  | );

  Every marker is a widget of its own and gets the new ´camera´ with **every frame** of the gesture: 300 rebuilds at 60 Hz. Draw them
  in one go instead, with a ´CustomPainter´ that repaints when the camera moves:

  ´´´dart
  class MarkerPainter extends CustomPainter {
    MarkerPainter(this.trails, this.camera) : super(repaint: camera);
    // paint() projects each trail once and draws from one atlas
  }
  ´´´

  Hit testing then needs a small grid; I can write that too.

  > Yes, with the grid.
  @create lib/map/marker_painter.dart
  | /// Draws all markers in one pass. Widgets per marker were rebuilt on every frame of a gesture.
  | class MarkerPainter extends CustomPainter {
  |   MarkerPainter(this.trails, this.camera, this.atlas) : super(repaint: camera);
  |   final List<Trail> trails;
  |   final Camera camera;
  |   final MarkerAtlas atlas;
  | }
  @create lib/map/marker_grid.dart
  | /// Finds the marker under a finger without asking all of them.
  | class MarkerGrid {
  |   MarkerGrid(Iterable<Trail> trails, {this.cell = 48});
  |   final double cell;
  | }
  @run flutter test test/map # Run the map tests
  | 00:04 +27: All tests passed!

  The painter is in, taps go through the grid. Please try it on the phone; the profiler on my side cannot feel stutter.

  > 58 to 60 fps with 1,200 markers. One thing: the markers jump by a pixel when the map stops.

  The painter rounds positions to whole pixels when the camera rests (for crisp icons) but not while it moves. Rounding always would
  make them tremble; never rounding makes them soft. A fade between both over 120 ms hides it:
  @edit lib/map/marker_painter.dart
  - final snap = camera.isResting;
  + final snap = camera.restingFor / const Duration(milliseconds: 120);

  Positions now glide onto the pixel grid within 120 ms after the map stops.
`,
);

const offlineSync = copilot(
  "offline-sync",
  { title: "Notes written offline overwrite newer ones", when: "55d 12:00", branch: "fix/sync-conflicts" },
  `
  > Two phones edit the same hike note offline. Whoever syncs last wins, even with the older text. Design first, please.
  @read lib/sync/push.dart
  | await api.put("/notes/$id", body: note.toJson());
  @think
  | PUT without a condition. The server cannot know which version the edit was based on. Options: versions with conditional writes
  | (conflict surfaces on the phone), or a CRDT (merges by itself, large change). Notes are short; conditional writes are enough.

  The phone sends the whole note and the server believes it. The smallest design that loses nothing:

  1. Every note has a ´version´; the phone remembers which one its edit began from.
  2. ´PUT´ carries ´If-Match: <version>´; the server answers 412 when it has a newer one.
  3. On 412 the phone merges **three ways** (common ancestor, mine, theirs), line by line. Only a real conflict is shown.

  > Where do we keep the common ancestor?

  Beside the note, as ´base´: the text as it was last received from the server. It costs one more copy of each edited note until it is
  synced; with notes of two kilobytes that does not matter.

  > OK. Server first.
  @edit server/notes/put.ts
  - await notes.save(id, body);
  + const saved = await notes.saveIf(id, body, request.headers["if-match"]);
  + if (!saved) return reply.code(412).send(await notes.get(id));
  @run npm test --workspace server # Run the server's tests
  |       Tests  77 passed (77)

  The server refuses stale writes and sends its own version along, so the phone needs no second request.

  > Now the phone, with a test for the two-phone story.
  @create test/sync/two_phones_test.dart
  | test("two phones edit different lines offline: both edits survive", () async {
  |   final server = FakeServer({"n1": "start\\nlake\\nend"});
  |   final a = await phone(server).edit("n1", line: 0, to: "START");
  |   final b = await phone(server).edit("n1", line: 2, to: "END");
  |   await a.sync();
  |   await b.sync();
  |   expect(server.text("n1"), "START\\nlake\\nEND");
  | });
  @failed run flutter test test/sync # Run the sync tests
  | Expected: 'START\\nlake\\nEND'
  |   Actual: 'start\\nlake\\nEND'
  | 00:02 +11 -1: Some tests failed.

  As expected, it fails before the merge exists. Now the merge itself:
  @create lib/sync/merge.dart
  | /// Three-way merge by lines. Returns null where both sides changed the same line differently.
  | String? merge(String base, String mine, String theirs) => MergeByLine(base).apply(mine, theirs);
  @run flutter test test/sync # Run them again
  | 00:02 +12: All tests passed!

  Both edits survive.

  > And a real conflict?

  ´merge´ returns null, the note keeps ´mine´, and the list shows a small "2 versions" badge. Opening it shows both, with the choice to
  keep one or both. Nothing is overwritten without a person deciding.

  > Commit and open a PR for 512.
  @run git commit -am "Merge notes instead of overwriting them" # Commit
  | [fix/sync-conflicts ae5d390] Merge notes instead of overwriting them
  |  9 files changed, 301 insertions(+), 22 deletions(-)
  @run gh pr create --fill --body "Fixes #512" # Open the pull request
  | https://github.com/kestrel-trails/trailhead/pull/530

  Committed as ´ae5d390´ and opened as https://github.com/kestrel-trails/trailhead/pull/530.
`,
);

const japanese = claude(
  "ja-strings",
  { title: "日本語表示で文字が切れる", when: "42d 01:30", branch: "l10n/ja" },
  `
  > 日本語に切り替えると、ボタンの文字が途中で切れます。「ルートをダウンロード」が「ルートをダウ…」になります。原因を調べてください。
  @search maxLines: 1 in lib/widgets
  | lib/widgets/action_button.dart:24:      child: Text(label, maxLines: 1, overflow: TextOverflow.ellipsis),
  @read lib/widgets/action_button.dart
  | SizedBox(
  |   width: 120,
  |   child: Text(label, maxLines: 1, overflow: TextOverflow.ellipsis),
  | )

  原因は ´action_button.dart´ の固定幅 ´width: 120´ です。英語の "Download" は収まりますが、日本語の 10 文字は約 160 px 必要です。固定幅をやめ、最小幅だけを指定するのがよいと思います。

  ´´´dart
  ConstrainedBox(
    constraints: const BoxConstraints(minWidth: 120),
    child: Text(label, maxLines: 2, textAlign: TextAlign.center),
  )
  ´´´

  > それでお願いします。ほかの画面にも同じ問題がありますか。
  @edit lib/widgets/action_button.dart
  - SizedBox(
  -   width: 120,
  + ConstrainedBox(
  +   constraints: const BoxConstraints(minWidth: 120),
  @search SizedBox(width: in lib
  | lib/detail/stat_tile.dart:18:  SizedBox(width: 64, child: Text(unit)),
  | lib/settings/language_row.dart:9:  SizedBox(width: 90, child: Text(name)),

  ほかに 2 か所あります。´stat_tile.dart´ の単位（「メートル」）と、´language_row.dart´ の言語名です。同じ方法で直せます。

  > 両方直して、ゴールデンテストも追加してください。
  @create test/golden/ja_buttons_test.dart
  | testGoldens("buttons in Japanese are not cut off", (tester) async {
  |   await tester.pumpApp(const ButtonGallery(), locale: const Locale("ja"));
  |   await screenMatchesGolden(tester, "ja_buttons");
  | });
  @run flutter test --update-goldens test/golden # ゴールデン画像を作成
  | 00:06 +8: All tests passed!
  @run git commit -am "Give buttons and tiles a minimum width instead of a fixed one" # コミット
  | [l10n/ja 30fd7b8] Give buttons and tiles a minimum width instead of a fixed one
  |  6 files changed, 41 insertions(+), 12 deletions(-)

  3 か所すべて修正し、日本語のゴールデンテストを追加しました（´30fd7b8´）。
`,
);

const gradle = copilot(
  "gradle-daemon",
  {
    title: 'Android build fails with "Unsupported class file major version"',
    when: "21d 08:50",
    model: "gpt-5",
    branch: "main",
  },
  `
  > Since this morning: "Unsupported class file major version 69". I changed nothing.
  @run java -version 2>&1 | head -1 # Which Java?
  | openjdk version "25" 2025-09-16
  @run cat android/gradle/wrapper/gradle-wrapper.properties | grep distributionUrl # Which Gradle?
  | distributionUrl=https\\://services.gradle.org/distributions/gradle-8.10-bin.zip

  Major version 69 is Java 25. Your system's default Java moved up, and Gradle 8.10 runs on Java 23 at most.

  > I don't want every developer to juggle Java versions.

  Then let Gradle choose its own: with a daemon toolchain the build always runs on the version you name, downloaded if missing.
  @create android/gradle/gradle-daemon-jvm.properties
  | toolchainVersion=21
  @run ./gradlew assembleDebug --quiet # Build in android/

  Builds again, on Java 21, whatever is installed. One file, checked in.
`,
);

const deepLinks = vscode(
  "deep-links",
  { title: "Shared links open the browser instead of the app", when: "8d 13:22", branch: "fix/app-links" },
  `
  > Links to https://trailhead.example/t/123 open the browser on Android 15, although the app declares them. iOS works.
  @read android/app/src/main/AndroidManifest.xml
  | <intent-filter android:autoVerify="true">
  |   <data android:scheme="https" android:host="trailhead.example" android:pathPrefix="/t/" />
  | </intent-filter>
  @run adb shell pm get-app-links example.trailhead # What does the phone think?
  | example.trailhead:
  |   Signatures: [3A:91:…:7E]
  |   Domain verification state:
  |     trailhead.example: 1024

  The manifest is fine. State ´1024´ means that the verification of ´/.well-known/assetlinks.json´ failed. Check the fingerprint there:
  since Play signs the app, the one that counts is Play's, not your upload key's.

  > It had the upload key. Changed, still 1024.

  The result is cached. Ask the phone to verify again:

  ´´´sh
  adb shell pm set-app-links --package example.trailhead 0 all
  adb shell pm verify-app-links --re-verify example.trailhead
  ´´´

  Also make sure the file is served as ´application/json´ and **without a redirect**; the verifier follows none.

  > The redirect was it: we send everyone to www. Verified now!

  Then exclude ´/.well-known/´ from the redirect, and add a check to the deployment that fetches the file and expects status 200, so that
  the next change of the web server does not break the app in silence.
`,
);

const battery = vscode(
  "gps-battery",
  { title: "Tracking drains the battery", when: "4d 10:15", branch: "perf/tracking", damage: "half-saved" },
  `
  > Recording a six hour hike uses 48 % of the battery. Competitors use about 20 %. What are the knobs?
  @read lib/tracking/recorder.dart
  | final stream = Geolocator.getPositionStream(
  |   locationSettings: const LocationSettings(accuracy: LocationAccuracy.best, distanceFilter: 0),
  | );

  Both knobs are at the expensive end:

  | knob | now | suggestion | effect |
  |---|---|---|---|
  | ´distanceFilter´ | 0 m | 8 m | wakes the app about 8 times less often |
  | ´accuracy´ | best | high | no sensor fusion at full rate |
  | writing to disk | every fix | every 30 s | the flash may sleep |

  > Doesn't 8 m cut corners on switchbacks?

  A little: on a hairpin with a radius of 5 m you lose up to 3 m of track. You can adapt: 3 m while the heading changes quickly, 10 m on straight
  parts. The heading comes from the last two fixes, so it costs nothing.
  @edit lib/tracking/recorder.dart
  - accuracy: LocationAccuracy.best, distanceFilter: 0
  + accuracy: LocationAccuracy.high, distanceFilter: turning ? 3 : 10

  The recorder now does that; please walk the same hike once more.

  @after 27h
  > Measured on the same hike: 23 %. Track length differs by 0.4 %.

  That is close to the others, and 0.4 % is less than the difference between two good receivers. The writing interval is still open; I'd expect
  another two or three points from it. Shall I write every ten seconds instead of every one?
`,
);

export const trailhead: Chapter = {
  folder: "trailhead",
  repository: "kestrel-trails/trailhead",
  tellings: [mapJank, offlineSync, japanese, gradle, deepLinks, battery],
};
