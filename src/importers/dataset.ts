import { limits } from '../limits.ts'
import type { RequestRecord, Target } from './record.ts'

export interface Dataset {
  readonly name: string
  readonly description: string | null
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** A dataset as an object of the project, with its rows in a table. */
export const datasetRecord = ({ name, description, rows }: Dataset): RequestRecord => ({
  kind: 'request',
  what: 'datasets',
  name,
  async send(target) {
    const digest = await createTable(target, rows)
    const value = {
      _type: 'Dataset',
      _class_name: 'Dataset',
      _bases: ['Object', 'BaseModel'],
      name,
      description,
      ref: null,
      rows: `${target.dialect}:///${target.project}/table/${digest}`,
    }
    await target.post('/obj/create', { obj: { project_id: target.project, object_id: objectName(name), val: value } })
  },
})

/** Stores rows in pieces; returns the digest of the table. */
export async function createTable(target: Target, rows: readonly unknown[]): Promise<string> {
  const { project } = target
  const piece = (at: number) => rows.slice(at, at + limits.importBatchRecords)
  let { digest } = (await target.post('/table/create', { table: { project_id: project, rows: piece(0) } })) as Digest
  for (let at = limits.importBatchRecords; at < rows.length; at += limits.importBatchRecords) {
    const updates = piece(at).map((row) => ({ append: { row } }))
    const reply = await target.post('/table/update', { project_id: project, base_digest: digest, updates })
    digest = (reply as Digest).digest
  }
  return digest
}

interface Digest {
  readonly digest: string
}

/** A name with the characters that names of objects may have. */
const objectName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, limits.idCharsMax) || 'dataset'
