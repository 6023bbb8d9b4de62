import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const Text = Type.String()
const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>(Type.String({ enum: [...values], pattern: `^(?:${values.join('|')})$`, description }))

const Format = oneOf(['csv', 'jsonl', 'parquet'], 'Format of the file')
export type Format = Static<typeof Format>

const columnTypes = ['text', 'number', 'boolean', 'json', 'messages', 'auto'] as const
export type ColumnType = (typeof columnTypes)[number]

const ColumnChoice = OpenObject({
  source: Type.Union([Text, Type.Integer({ minimum: 0 })], {
    description: 'Name of the column in the file, or its 0-based position',
  }),
  name: Nullable(Type.String({ minLength: 1, description: 'Name in the rows; that of the file by default' })),
  type: Nullable(
    oneOf(
      columnTypes,
      'What the values become. `number` keeps the spelling, `json` is any JSON, `messages` a list of objects with ' +
        '`role` and `content`; `auto` keeps what JSON Lines and Parquet say. By default the type is guessed',
    ),
  ),
  skip: Nullable(Type.Boolean({ description: 'Leave the column out' })),
  empty: Nullable(
    oneOf(['null', 'absent', 'text'], 'What an empty cell becomes: null (default), no member, or an empty text'),
  ),
})
export type ColumnChoice = Static<typeof ColumnChoice>

const readMembers = {
  format: Nullable(Format),
  delimiter: Nullable(Type.String({ maxLength: 1, minLength: 1, description: 'Of CSV; guessed by default' })),
  quote: Nullable(Type.String({ maxLength: 1, description: 'Of CSV; `"` by default, empty for none' })),
  header: Nullable(Type.Boolean({ description: 'Whether the first line of CSV has the names; guessed by default' })),
  encoding: Nullable(
    oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'], 'Of text files; UTF-8 unless a byte order mark differs'),
  ),
}

/** How a file is read; everything omitted is guessed. */
export const ReadOptions = OpenObject(readMembers)
export type ReadOptions = Static<typeof ReadOptions>

const Correction = OpenObject({
  line: Type.Integer({ minimum: 1, description: '1-based line of the file, or row of a Parquet file' }),
  column: Type.String({ description: 'Name of the column in the rows' }),
  value: Type.String({ description: 'Text that is read in place of the cell' }),
})
export type Correction = Static<typeof Correction>

export const ImportOptions = OpenObject({
  ...readMembers,
  name: Type.String({ description: 'Name of the dataset' }),
  description: Nullable(Text),
  columns: Nullable(Type.Array(ColumnChoice, { maxItems: datasetLimits.columnsMax })),
  mode: Nullable(oneOf(['replace', 'append'], 'Whether the rows replace those of the latest version, or follow them')),
  base_digest: Nullable(
    Type.String({
      description: 'Version that `append` continues: digest, `v<number>` or alias; the latest by default',
    }),
  ),
  equal_rows: Nullable(oneOf(['keep', 'skip'], 'Whether rows that are there already are kept or skipped')),
  corrections: Nullable(
    Type.Array(Correction, {
      maxItems: datasetLimits.faultsListed,
      description: 'Cells that are read as other texts; one that the file does not have is refused',
    }),
  ),
  leave_out_lines: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Leaves out the lines with faults, if they are exactly so many (`faulty_lines` of a refusal says it) and the ' +
        'rest can be read without them; otherwise nothing is written. 0 by default',
    }),
  ),
  expected_latest_digest: Nullable(
    Type.String({
      description: 'The latest version that you know, empty if there is none; 409 if another one came first',
      maxLength: operationLimits.idCharsMax,
    }),
  ),
})
export type ImportOptions = Static<typeof ImportOptions>

export const Fault = Type.Object({
  line: Type.Integer({ description: '1-based line of the file, or row of a Parquet file; 0 for the whole file' }),
  column: NullableText,
  value: Type.Union([Text, Type.Null()], { description: 'The value, truncated' }),
  reason: Text,
})
export type Fault = Static<typeof Fault>

const faults = {
  faults: Type.Array(Fault, { description: `The first ${datasetLimits.faultsListed}` }),
  fault_count: Type.Integer({ description: 'All of them' }),
  faulty_lines: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Lines that have them, if the rest of the file can be read without these; null if it cannot',
  }),
}

export const InspectedColumn = Type.Object({
  source: Type.Integer({ description: '0-based position in the file' }),
  name: Text,
  type: oneOf(columnTypes, 'Guessed type'),
  why: Type.String({ description: 'Why this type, as a sentence' }),
  empty_count: Type.Integer({ description: 'Cells of the sample without a value' }),
})
export type InspectedColumn = Static<typeof InspectedColumn>

export const Inspection = Type.Object({
  format: Format,
  encoding: NullableText,
  byte_order_mark: Type.Boolean(),
  delimiter: NullableText,
  quote: NullableText,
  header: Type.Union([Type.Boolean(), Type.Null()]),
  columns: Type.Array(InspectedColumn),
  rows: Type.Array(
    Type.Object({
      line: Type.Integer(),
      values: Type.Array(Type.Union([Text, Type.Null()]), { description: 'As in the file, by column; null if empty' }),
    }),
    { description: `The first ${datasetLimits.shownRows}` },
  ),
  rows_read: Type.Integer({ description: 'Rows of the sample' }),
  is_whole: Type.Boolean({ description: 'Whether the sample is the whole file that was sent' }),
  ...faults,
})
export type Inspection = Static<typeof Inspection>

export const ImportReceipt = Type.Object({
  object_id: Text,
  digest: Type.String({ description: 'Digest of the version' }),
  version_index: Type.Integer(),
  rows: Type.Integer({ description: 'Rows of the version' }),
  added: Type.Integer({ description: 'Rows from the file' }),
  skipped: Type.Integer({ description: 'Rows that were there already' }),
  left_out: Type.Integer({ description: 'Lines with faults, left out as `leave_out_lines` says' }),
})
export type ImportReceipt = Static<typeof ImportReceipt>

const selector = (which: string) =>
  Type.String({ description: `${which}: digest, \`latest\`, \`v<number>\` or alias`, maxLength: 128 })

const version = { project_id: ProjectId, object_id: Text, digest: selector('Version') }

export const ExportRequest = OpenObject({ ...version, format: Format })
export type ExportRequest = Static<typeof ExportRequest>

export const ColumnsRequest = OpenObject(version)

export const DatasetColumn = Type.Object({
  name: Text,
  type: oneOf(columnTypes, 'Type of all its values; `json` if they differ'),
  empty: oneOf(['null', 'absent'], 'What rows without a value have'),
})
export type DatasetColumn = Static<typeof DatasetColumn>

export const ColumnsAnswer = Type.Object({ rows: Type.Integer(), columns: Type.Array(DatasetColumn) })

const changeKinds = ['added', 'removed', 'changed'] as const

export const DiffRequest = OpenObject({
  project_id: ProjectId,
  object_id: Text,
  from_digest: selector('The older version'),
  to_digest: selector('The newer version'),
  key: Nullable(Type.String({ minLength: 1, description: 'Column that identifies rows, to pair changed ones' })),
  kinds: Nullable(Type.Array(oneOf(changeKinds, 'Kind of change'), { description: 'Kinds to list; all by default' })),
  limit: Nullable(Type.Integer({ minimum: 0, maximum: datasetLimits.diffPageMax })),
  offset: Nullable(Type.Integer({ minimum: 0 })),
})
export type DiffRequest = Static<typeof DiffRequest>

const side = (which: string) => ({
  [`${which}_index`]: Type.Union([Type.Integer(), Type.Null()]),
  [`${which}_row_digest`]: NullableText,
  [`${which}_row`]: Type.Union([FreeObject, Type.Null()]),
})

export const DiffAnswer = Type.Object({
  from_digest: Text,
  to_digest: Text,
  from_rows: Type.Integer(),
  to_rows: Type.Integer(),
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  same: Type.Integer(),
  changes: Type.Array(Type.Object({ kind: oneOf(changeKinds, 'Kind of change'), ...side('from'), ...side('to') }), {
    description: 'In the order of the newer version; removed rows where they were',
  }),
})

export const RowsOfCallRequest = OpenObject({
  project_id: ProjectId,
  call_id: Type.String({ minLength: 1, maxLength: operationLimits.idCharsMax }),
})

const RowOfCall = Type.Object({
  object_id: Type.String({ description: 'Name of the dataset' }),
  digest: Type.String({ description: 'Digest of its latest version' }),
  version_index: Type.Integer(),
  row_index: Type.Integer({ description: '0-based position in the version' }),
  row_digest: Text,
})
export type RowOfCall = Static<typeof RowOfCall>

export const RowsOfCall = Type.Object({ rows: Type.Array(RowOfCall, { description: 'By name and position' }) })
export type RowsOfCall = Static<typeof RowsOfCall>
