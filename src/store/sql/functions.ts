/**
 * The SQL functions a query may call. All of them compute from their arguments alone; a function that is not here is
 * refused, also one that a later SQLite brings: `load_extension`, `fts3_tokenizer` and `optimize` show why.
 */
const FUNCTIONS = `
  abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower ltrim
  max min nullif octet_length printf quote random randomblob replace round rtrim sign soundex sqlite_version substr
  substring trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob

  acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power
  radians sin sinh sqrt tan tanh trunc

  avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total
  cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

  current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch

  -> ->> json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
  json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
  jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set

  match bm25 highlight snippet
`;

export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(FUNCTIONS.trim().split(/\s+/));
