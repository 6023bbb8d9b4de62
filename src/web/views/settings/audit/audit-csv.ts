import type { AuditEntry } from '../../../api/audit.ts'
import { csvBlob, csvLine } from '../../../format/csv.ts'

const columns = [
  'time',
  'last_time',
  'user',
  'user_id',
  'address',
  'kind',
  'operation',
  'projects',
  'items',
  'item_count',
  'requests',
  'status',
  'reason',
  'request_id',
] as const

/** Entries of the audit log as a file. */
export const auditCsv = (entries: readonly AuditEntry[]): Blob =>
  csvBlob([
    csvLine(columns),
    ...entries.map((entry) =>
      csvLine([
        entry.created_at,
        entry.last_at,
        entry.ext_username,
        entry.ext_user_id,
        entry.address,
        entry.kind,
        entry.operation,
        entry.project_ids.join(' '),
        entry.item_ids.join(' '),
        entry.items,
        entry.requests,
        entry.status,
        entry.reason,
        entry.request_id,
      ]),
    ),
  ])
