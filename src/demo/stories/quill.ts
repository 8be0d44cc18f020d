/** A note-taking command in Rust, by people who think in German: slices, borrows, speed, errors. */
import { type Chapter, claude, copilot, vscode } from "../telling.ts";

const slicePanic = copilot(
  "slice-panic",
  { title: "Panic when a title ends in an emoji", when: "75d 10:02", branch: "fix/title-cut" },
  `
  > quill list panics: "byte index 40 is not a char boundary; it is inside '🌊' (bytes 38..42)". Fix, please.
  @search [..40] in src
  | src/list.rs:57:    let short = &title[..40];

  ´src/list.rs:57´ cuts at byte 40. Cutting at a character would stop the panic but could still split what people see as one
  character (a family emoji is seven). The column should be cut by *displayed width*:

  ´´´rust
  fn shorten(text: &str, width: usize) -> String {
      let mut used = 0;
      let kept: String = text
          .graphemes(true)
          .take_while(|g| { used += g.width(); used < width })
          .collect();
      if kept.len() < text.len() { kept + "…" } else { kept }
  }
  ´´´

  > Good, with tests for emoji, Chinese and combining accents.
  @edit src/list.rs
  -     let short = &title[..40];
  +     let short = shorten(title, 40);
  @create tests/shorten.rs
  | #[test]
  | fn cuts_between_what_people_see_as_characters() {
  |     assert_eq!(shorten("wave 🌊🌊", 7), "wave …");
  |     assert_eq!(shorten("海に行きたい", 7), "海に行…");
  |     assert_eq!(shorten("cafe\u0301 au lait", 5), "cafe\u0301…");
  | }
  @run cargo test # Run the tests
  | test result: ok. 64 passed; 0 failed; 0 ignored; finished in 0.31s
  @run git commit -am "Cut titles by displayed width" # Commit
  | [fix/title-cut 83f1c6e] Cut titles by displayed width
  |  4 files changed, 37 insertions(+), 2 deletions(-)

  64 tests pass; committed as ´83f1c6e´.
`,
);

const borrow = claude(
  "borrow-parser",
  { title: "Parser leiht sich den Puffer zweimal", when: "69d 19:12", branch: "parser-streaming" },
  `
  > Ich bekomme hier E0502 und verstehe nicht, warum der Puffer noch ausgeliehen ist:
  >
  > let head = self.peek(); self.fill()?; self.push(head);
  @read src/parser.rs
  | fn peek(&self) -> &str {
  |     &self.buffer[self.at..]
  | }
  |
  | fn fill(&mut self) -> io::Result<()> {
  |     self.reader.read_line(&mut self.buffer).map(drop)
  | }

  ´peek´ gibt eine Referenz *in* den Puffer zurück. Solange ´head´ lebt, ist ´self´ also ausgeliehen, und ´fill´ braucht es
  exklusiv. Der Compiler hat recht: ´read_line´ könnte den Puffer vergrößern und verschieben, ´head´ zeigte dann ins Leere.

  Merken Sie sich statt der Referenz nur die **Stelle**:

  ´´´rust
  let head = self.at..self.buffer.len();
  self.fill()?;
  self.push(head);
  ´´´

  > Ah, ein Bereich statt einer Referenz. Und wenn fill den Anfang des Puffers wegwirft?

  Dann stimmen die Stellen nicht mehr. Zwei saubere Wege:

  - Stellen zählen ab Beginn der **Datei**, und der Parser zieht ´self.dropped´ ab. Das ist nebenbei genau das, was
    Fehlermeldungen brauchen.
  - ´fill´ wirft nie weg, solange ein Token offen ist.

  Ich würde den ersten nehmen.

  > Einverstanden, bitte so umbauen.
  @edit src/parser.rs
  - fn peek(&self) -> &str {
  -     &self.buffer[self.at..]
  - }
  + /// Stellen zählen ab Beginn der Datei, damit sie gültig bleiben, wenn der Puffer vorne gekürzt wird.
  + fn rest(&self) -> Range<u64> {
  +     self.at..self.dropped + self.buffer.len() as u64
  + }
  @run cargo test parser # Tests des Parsers
  | test result: ok. 31 passed; 0 failed; 0 ignored; finished in 0.04s
  @run cargo clippy -- -D warnings # Clippy
  | Finished dev profile in 2.10s

  Umgebaut; 31 Tests grün, Clippy schweigt. Fehlermeldungen nennen jetzt die Stelle in der Datei statt der im Puffer.
`,
);

const walkSpeed = claude(
  "walk-speed",
  { title: "quill search is slow in large vaults", when: "48d 13:40", branch: "perf/search" },
  `
  > "quill search tide" takes 2.9 s in a vault with 60,000 notes. Profile first, then propose.
  @run perf record -g ./target/release/quill search tide && perf report --stdio | head -8 # Profile
  |     38.1%  quill  regex_automata::meta::search
  |     31.7%  libc   read
  |     17.4%  quill  core::str::from_utf8
  |      6.2%  quill  walkdir::IntoIter::next

  Three costs, in order:

  1. **38 % regex**: the word "tide" is compiled as ´(?i)tide´ and searched line by line, 2.1 million times.
  2. **32 % reading**: every file is read whole, one after the other.
  3. **17 % UTF-8 checks**: on text that is then thrown away.

  > 1 first.
  @edit src/search.rs
  -     for line in text.lines() {
  -         if pattern.is_match(line) { hits.push(line) }
  -     }
  +     for found in pattern.find_iter(text) {
  +         hits.push(line_around(text, found.start()));
  +     }
  @run hyperfine -w 2 "./target/release/quill search tide" # Measure
  | Time (mean ± σ):  1.874 s ± 0.021 s

  2.9 → 1.87 s: one search per file instead of one per line.

  > Now 3, without unsafe.

  Search on bytes (´regex::bytes´) and check UTF-8 only for the lines that are shown. No ´unsafe´, and files that are not UTF-8
  become searchable as a bonus.
  @edit src/search.rs
  - use regex::Regex;
  + use regex::bytes::Regex;
  @run cargo test search && hyperfine -w 2 "./target/release/quill search tide" # Test and measure
  | test result: ok. 22 passed; 0 failed
  | Time (mean ± σ):  1.402 s ± 0.018 s

  1.40 s. What is left is mostly waiting for the disk, one file at a time.

  > Would threads help on a laptop?

  Yes: reading 60,000 small files is latency, not bandwidth. Four threads should bring it under half a second. It costs the order
  of the results, so they have to be sorted again.
`,
);

const walkThreads = claude(
  "walk-threads",
  {
    title: "quill search is slow in large vaults: threads",
    when: "47d 09:30",
    branch: "perf/search-threads",
    forkOf: { name: "walk-speed", keep: 3 },
  },
  `
  > Try it with a thread pool, keep the results in order, and tell me honestly whether it is worth it.
  @edit src/search.rs
  -     let hits: Vec<Hit> = files.iter().flat_map(|file| search(file)).collect();
  +     let hits: Vec<Hit> = files.par_iter().flat_map_iter(|file| search(file)).collect();
  @run hyperfine -w 2 "./target/release/quill search tide" # Measure
  | Time (mean ± σ):  0.389 s ± 0.031 s
  @run hyperfine -w 2 "./target/release/quill search tide --vault small" # And in a small vault
  | Time (mean ± σ):  9.8 ms ± 1.4 ms   (before: 6.1 ms)

  Honestly: for the large vault yes (**1.40 → 0.39 s**), for a small one it costs 4 ms that nobody feels. An indexed parallel iterator
  keeps the order, so nothing needs sorting. I would take it.

  > Take it. Only use threads above 2,000 files.
  @edit src/search.rs
  -     let hits: Vec<Hit> = files.par_iter()
  +     // Below this, starting the pool takes longer than the search itself.
  +     let hits: Vec<Hit> = files.par_iter().with_min_len(if files.len() > 2_000 { 64 } else { usize::MAX })
  @run cargo test # Run the tests
  | test result: ok. 68 passed; 0 failed; 0 ignored

  Done: small vaults are searched on one thread.
`,
);

const errorTypes = vscode(
  "error-types",
  { title: "Replace string errors by an enum", when: "36d 20:18", branch: "refactor/errors" },
  `
  > Half of our functions return Result<T, String>. How do I get to proper errors without touching everything at once?
  @search Result<.*, String> in src
  | src/config.rs: 6 matches
  | src/vault.rs: 11 matches
  | src/sync.rs: 4 matches

  21 functions in three files. Introduce the enum with a variant for the past, then move one file at a time:

  ´´´rust
  #[derive(Debug, thiserror::Error)]
  pub enum Error {
      #[error("no vault at {0}")]
      NoVault(PathBuf),
      #[error(transparent)]
      Io(#[from] std::io::Error),
      /// Errors that are still plain text; this variant goes when the last of them is gone.
      #[error("{0}")]
      Text(String),
  }

  impl From<String> for Error {
      fn from(text: String) -> Self { Self::Text(text) }
  }
  ´´´

  ´?´ converts old errors on the way, so callers compile unchanged.

  > Start with config.rs.
  @create src/error.rs
  | #[derive(Debug, thiserror::Error)]
  | pub enum Error {
  |     #[error("no vault at {0}")]
  |     NoVault(PathBuf),
  |     #[error("line {line} of the configuration: {reason}")]
  |     Config { line: usize, reason: String },
  | }
  @edit src/config.rs
  - pub fn load(path: &Path) -> Result<Config, String> {
  + pub fn load(path: &Path) -> Result<Config, Error> {
  @run cargo check # Does everything still compile?
  | Finished dev profile in 1.44s

  ´config.rs´ is done: six functions, and the line number is now part of the error instead of its text.
`,
);

export const quill: Chapter = {
  folder: "quill",
  repository: "fernwerk/quill",
  tellings: [slicePanic, borrow, walkSpeed, walkThreads, errorTypes],
};
