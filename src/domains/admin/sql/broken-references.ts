/**
 * Statements that find dangling references in the whole store, whose tables are views of the same
 * names. Each returns the project, what refers, and what is wrong.
 */
export const brokenReferences: readonly { readonly table: string; readonly text: string }[] = [
  {
    table: 'table_lists',
    text: `SELECT l.project_id, l.digest, CASE WHEN c.digest IS NULL THEN 'its chunk ' || l.chunk || ' is missing'
        ELSE 'its chunk ' || l.chunk || ' has ' || len(c.row_digests) || ' rows instead of ' || l.rows END
      FROM (SELECT project_id, digest, piece ->> '$[0]' AS chunk, (piece ->> '$[1]')::BIGINT AS rows
        FROM (SELECT project_id, digest, unnest(json_extract(chunks, '$[*]')) AS piece FROM table_lists)) l
      LEFT JOIN table_chunks c ON c.project_id = l.project_id AND c.digest = l.chunk
      WHERE c.digest IS NULL OR len(c.row_digests) <> l.rows ORDER BY ALL`,
  },
  {
    table: 'table_lists',
    text: `SELECT project_id, digest, 'its chunks have ' || rows || ' rows together instead of ' || row_count
      FROM (SELECT *, coalesce(list_sum(json_extract(chunks, '$[*][1]')::BIGINT[]), 0)::BIGINT AS rows FROM table_lists)
      WHERE rows <> row_count ORDER BY ALL`,
  },
  {
    table: 'table_lists',
    text: `SELECT l.project_id, l.digest, count(*) || ' of its rows are missing, the first is ' || min(l.row_digest)
      FROM (SELECT DISTINCT l.project_id, l.digest, unnest(c.row_digests) AS row_digest
        FROM (SELECT project_id, digest, unnest(json_extract_string(chunks, '$[*][0]')) AS chunk
          FROM table_lists WHERE is_complete = 1) l
        JOIN table_chunks c ON c.project_id = l.project_id AND c.digest = l.chunk) l
      ANTI JOIN table_rows r ON r.project_id = l.project_id AND r.digest = l.row_digest
      GROUP BY ALL ORDER BY ALL`,
  },
  {
    table: 'table_chunks',
    text: `SELECT project_id, digest, 'its rows have another digest together'
      FROM table_chunks WHERE digest <> sha256(array_to_string(row_digests, '')) ORDER BY ALL`,
  },
]

/** The files of all projects: project, digest and length. */
export const namedContents = 'SELECT project_id, digest, size_bytes::DOUBLE FROM files ORDER BY ALL'
