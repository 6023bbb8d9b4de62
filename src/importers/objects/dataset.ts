import { withInternalRefs } from '../../domains/records/index.ts'
import { dialects } from '../../formats/dialect/dialect.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { digestOfJson, tableDigest } from '../../runtime/digest.ts'
import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import type { Names, RequestRecord, Target } from '../record.ts'
import { textIn } from '../reply.ts'
import { NamedObject } from './named-object.ts'

type Row = Readonly<Record<string, unknown>>

export interface DatasetContent {
  readonly name: string
  readonly description: string | null
  readonly rows: readonly Row[]
}

/** A dataset as an object of the project, with its rows in a table. */
export class Dataset {
  readonly object: NamedObject

  constructor({ name, description, rows }: DatasetContent) {
    const digest = tableDigest(rows.map(rowDigest))
    this.object = new NamedObject({
      what: 'datasets',
      name,
      className: 'Dataset',
      members: ({ dialect, project }) => ({
        description,
        ref: null,
        rows: dialects[dialect].refs.table(project, digest),
      }),
      prepare: async (target) => void (await createTable(target, rows)),
    })
  }

  get record(): RequestRecord {
    return this.object.record
  }

  /** Ref to a row, as clients write it. */
  rowRef(target: Names, row: Row): string {
    return this.object.ref(target, [
      { kind: 'attr', value: 'rows' },
      { kind: 'id', value: rowDigest(row) },
    ])
  }
}

export const datasetRecord = (content: DatasetContent): RequestRecord => new Dataset(content).record

const rowDigest = (row: Row): string => digestOfJson(withInternalRefs(row))

/** Stores rows in pieces; returns the digest of the table. */
export async function createTable(target: Target, rows: readonly unknown[]): Promise<string> {
  const { project } = target
  const [first = [], ...others] = inPieces(rows)
  let digest = textIn(await target.post('/table/create', { table: { project_id: project, rows: first } }), 'digest')
  for (const piece of others) {
    const updates = piece.map((row) => ({ append: { row } }))
    digest = textIn(await target.post('/table/update', { project_id: project, base_digest: digest, updates }), 'digest')
  }
  return digest
}

function inPieces(rows: readonly unknown[]): unknown[][] {
  const pieces: unknown[][] = []
  let piece: unknown[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = utf8Bytes(JSON.stringify(row))
    if (bytes + size > toolLimits.importBatchBytes || piece.length >= toolLimits.importBatchRecords) {
      piece = []
      pieces.push(piece)
      bytes = 0
    }
    piece.push(row)
    bytes += size
  }
  return pieces
}
