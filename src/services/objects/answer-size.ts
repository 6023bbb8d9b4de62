import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { VersionRecord } from './version-row.ts'

/** An answer with contents is made in memory. @throws DomainError InvalidRequest where they are larger than that allows */
export function checkAnswerSize(versions: readonly Pick<VersionRecord, 'sizeBytes' | 'deletedAt'>[]): void {
  const bytes = versions.reduce((sum, { sizeBytes, deletedAt }) => sum + (deletedAt === null ? sizeBytes : 0), 0)
  if (bytes <= limits.objectsAnswerBytesMax) return
  throw new DomainError(
    'InvalidRequest',
    `Query objects: the contents of ${versions.length} versions are larger than ${limits.objectsAnswerBytesMax} bytes; ask for fewer with limit, or leave contents out with metadata_only`,
  )
}
