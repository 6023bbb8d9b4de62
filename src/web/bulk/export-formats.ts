import { download } from '../api/download.ts'
import { bulkText } from '../text/bulk.ts'

/** Formats that calls can be saved in. */
export const exportFormats = [
  { id: 'csv', type: 'text/csv', label: bulkText.formats.csv },
  { id: 'jsonl', type: 'application/jsonl', label: bulkText.formats.jsonl },
  { id: 'parquet', type: 'application/vnd.apache.parquet', label: bulkText.formats.parquet },
  { id: 'arrow', type: 'application/vnd.apache.arrow.stream', label: bulkText.formats.arrow },
] as const

/** Saves the calls of a query as a file. @throws {Problem} */
export const exportCalls = (
  query: Readonly<Record<string, unknown>> & { readonly project_id: string },
  { id, type }: (typeof exportFormats)[number],
): Promise<void> => download('/calls/stream_query', query, `${query.project_id.replace('/', '-')}.${id}`, type)
