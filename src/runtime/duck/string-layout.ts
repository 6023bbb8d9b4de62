/**
 * Memory layout of `duckdb_string_t` (duckdb.h, the public C API), little-endian. A text of at most
 * `inlineBytesMax` bytes is stored in the entry, followed by zeros; a longer one as its first four
 * bytes and its address. `string-layout.test.ts` checks this against the installed DuckDB.
 */
export const stringLayout = {
  entryBytes: 16,
  inlineBytesMax: 12,
  /**
   * Offsets in the entry: the length (uint32), and, by length, the text or the address (uint64).
   */
  lengthAt: 0,
  inlineTextAt: 4,
  addressAt: 8,
} as const
