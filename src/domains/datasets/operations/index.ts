import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { violationsOf } from '../../../formats/body/violations.ts'
import { byteStream } from '../../../formats/wire/byte-stream.ts'
import { MiB } from '../../../lib/bytes.ts'
import { ValidationError, type Violation } from '../../../lib/errors.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Config } from '../../../runtime/config/configuration.ts'
import type { Caller } from '../../access/index.ts'
import { describeFileForm, fileMissing, requestContext, type Streams, withFileForm } from '../../requests/index.ts'
import type { Datasets } from '../datasets.ts'
import {
  ColumnsAnswer,
  ColumnsRequest,
  DiffAnswer,
  DiffRequest,
  ExportRequest,
  Fault,
  ImportOptions,
  ImportReceipt,
  Inspection,
  ReadOptions,
  RowsOfCall,
  RowsOfCallRequest,
} from '../model/datasets.ts'
import type { ReceivedFile } from '../reading/text-file.ts'

/** The services that these operations are given. */
interface DatasetsServices {
  readonly datasets: Datasets
  readonly streams: Streams
}

/** Operations whose body is a form, which their handlers read themselves. */
export const datasetFormPaths: ReadonlySet<string> = new Set(['/datasets/inspect', '/datasets/import'])

const formOf = (options: TSchema, isRequired: boolean) =>
  describeFileForm({ project_id: ProjectId, options }, isRequired ? ['project_id', 'options'] : ['project_id'], {
    options: { contentType: 'application/json' },
  })

interface UploadedFile<Options> {
  readonly projectId: string
  readonly options: Options
  readonly file: ReceivedFile
  readonly fileName: string
}

/** Receives a form with a file, and removes the file when `use` is done with it. */
async function withFile<Schema extends TSchema, T>(
  { datasets }: DatasetsServices,
  request: Request,
  { schema, fileBytesMax }: { readonly schema: Schema; readonly fileBytesMax: number },
  use: (uploaded: UploadedFile<Static<Schema>>) => Promise<T>,
): Promise<T> {
  const { optionBytesMax: fieldBytesMax } = datasetLimits
  const receive = (pieces: AsyncIterable<Uint8Array>) => datasets.receive(pieces)
  const discard = (file: ReceivedFile) => datasets.discard(file)
  return await withFileForm(request, { fileBytesMax, fieldBytesMax, receive, discard }, async (form) => {
    const options = optionsOf(form.fields.get('options'), schema)
    const projectId: unknown = form.fields.get('project_id')
    const violations: Violation[] = [...options.violations]
    if (!Value.Check(ProjectId, projectId))
      violations.push(...violationsOf(Type.Object({ project_id: ProjectId }), { project_id: projectId }, 'body'))
    const { file } = form
    if (file === undefined) violations.push(fileMissing)
    if (file === undefined || violations.length > 0 || typeof projectId !== 'string' || options.value === undefined)
      throw new ValidationError(violations)
    return await use({ projectId, options: options.value, file, fileName: form.fileName ?? '' })
  })
}

/** The options of a form: JSON that matches the schema, or what is wrong with it. */
function optionsOf<Schema extends TSchema>(
  text: string | undefined,
  schema: Schema,
): { readonly value: Static<Schema> | undefined; readonly violations: readonly Violation[] } {
  let value: unknown
  try {
    value = JSON.parse(text ?? '{}')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'invalid'
    const msg = `JSON decode error: ${why}`
    return { value: undefined, violations: [{ loc: ['body', 'options'], msg, type: 'json_invalid' }] }
  }
  if (Value.Check(schema, value)) return { value, violations: [] }
  const found = violationsOf(schema, value, 'body')
  return {
    value: undefined,
    violations: found.map((one) => ({ ...one, loc: ['body', 'options', ...one.loc.slice(1)] })),
  }
}

const inspectRoute = {
  response: { 200: Inspection },
  detail: {
    operationId: 'datasets.inspect',
    readOnly: true,
    summary: 'Inspect a file before it is imported',
    description:
      'Says how a file (CSV, JSON Lines, Parquet) would be read: delimiter, encoding, columns with guessed types and ' +
      'why, the first rows, and the faults of the sample. Of a text file the first ' +
      `${datasetLimits.sampleBytes / MiB} MiB are read, so it is enough to send these; of a Parquet file send all. ` +
      'Nothing is stored.',
    tags: ['Datasets'],
    requestBody: formOf(ReadOptions, false),
  },
}

async function inspect(
  services: DatasetsServices,
  caller: Caller,
  request: Request,
  fileBytesMax: number,
): Promise<Static<typeof Inspection>> {
  return await withFile(services, request, { schema: ReadOptions, fileBytesMax }, async (uploaded) => {
    caller.read(uploaded.projectId)
    return await services.datasets.inspect(uploaded.file, uploaded.fileName, uploaded.options, request.signal)
  })
}

const RefusedRows: TSchema = Type.Object({
  reason: Type.String(),
  error_type: Type.Literal('InvalidRows'),
  faults: Type.Array(Fault),
  fault_count: Type.Integer(),
  faulty_lines: Type.Union([Type.Integer(), Type.Null()]),
})

const importRoute = {
  response: { 200: ImportReceipt },
  detail: {
    operationId: 'datasets.import',
    summary: 'Import a file as a version of a dataset',
    description:
      'Reads CSV, JSON Lines or Parquet and stores its rows as a new version, or nothing: if a value does not have ' +
      `the type of its column, the 422 response lists the first ${datasetLimits.faultsListed} faults with their ` +
      'lines and counts all. The upload is streamed, up to `TRACELAKE_MAX_FILE_MB`. If the client disconnects, there ' +
      'is no version. Without `expected_latest_digest`, repeating an import is harmless.',
    tags: ['Datasets'],
    requestBody: formOf(ImportOptions, true),
    responses: {
      409: { description: 'Another version came first (`expected_latest_digest`)' },
      422: {
        description: 'The form does not match its schema, or the file has faults (`InvalidRows`)',
        content: { 'application/json': { schema: RefusedRows } },
      },
    },
  },
}

async function importFile(
  services: DatasetsServices,
  caller: Caller,
  request: Request,
  fileBytesMax: number,
): Promise<ImportReceipt> {
  caller.requireRole('write')
  return await withFile(services, request, { schema: ImportOptions, fileBytesMax }, async (uploaded) => {
    const { projectId, options } = uploaded
    return await services.datasets.import(caller.write(projectId), uploaded, options, request.signal)
  })
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl',
  parquet: 'application/vnd.apache.parquet',
} as const

const binary = { schema: { type: 'string' as const, format: 'binary' } }

const exportRoute = {
  body: ExportRequest,
  detail: {
    operationId: 'datasets.export',
    readOnly: true,
    summary: 'Export a version of a dataset as a file',
    description:
      'Streams the rows as CSV, JSON Lines or Parquet. Values keep their spelling; nested ones are JSON. In CSV an ' +
      'empty cell is a row without a value and `""` an empty text. Importing the file with the types that ' +
      '`/datasets/columns` states gives the same rows; JSON Lines and Parquet need none.',
    tags: ['Datasets'],
    responses: {
      200: {
        description: 'The file',
        content: { 'text/csv': binary, 'application/jsonl': binary, 'application/vnd.apache.parquet': binary },
      },
    },
  },
}

async function exportFile(
  services: DatasetsServices,
  caller: Caller,
  clientLeft: AbortSignal,
  body: Static<typeof ExportRequest>,
): Promise<Response> {
  const abort = new AbortController()
  clientLeft.addEventListener('abort', () => abort.abort(), { once: true })
  const { fileName, pieces } = await services.datasets.export(caller.read(body.project_id), body, abort.signal)
  const stream = await byteStream(pieces, abort, services.streams.shouldYield)
  return new Response(stream, {
    headers: {
      'content-type': contentTypes[body.format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    },
  })
}

const columnsRoute = {
  body: ColumnsRequest,
  response: { 200: ColumnsAnswer },
  detail: {
    operationId: 'datasets.columns',
    readOnly: true,
    summary: 'List the columns of a version of a dataset',
    description: 'Reads all rows: names in the order of their first occurrence, and the type that all values have.',
    tags: ['Datasets'],
  },
}

const diffRoute = {
  body: DiffRequest,
  response: { 200: DiffAnswer },
  detail: {
    operationId: 'datasets.diff',
    readOnly: true,
    summary: 'Compare two versions of a dataset',
    description:
      'Equal rows are paired first, wherever they are. What is left is paired by `key` if given, else rows that ' +
      'stand between the same equal rows, in order: a pair is a changed row, the rest is added or removed.',
    tags: ['Datasets'],
  },
}

const rowsOfCallRoute = {
  body: RowsOfCallRequest,
  response: { 200: RowsOfCall },
  detail: {
    operationId: 'datasets.rowsOfCall',
    readOnly: true,
    summary: 'List the rows that were made from a call',
    description:
      'Rows of the latest version of each dataset that hold the ref of the call, wherever in the row. At most ' +
      `${datasetLimits.rowsOfCallMax} different rows are looked for.`,
    tags: ['Datasets'],
  },
}

/** Operations on datasets as files. */
export const datasetsApi = (services: DatasetsServices, { fileBytesMax }: Config) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/datasets/inspect', ({ caller, request }) => inspect(services, caller, request, fileBytesMax), inspectRoute)
    .post('/datasets/import', ({ caller, request }) => importFile(services, caller, request, fileBytesMax), importRoute)
    .post(
      '/datasets/export',
      ({ caller, request, body }) => exportFile(services, caller, request.signal, body),
      exportRoute,
    )
    .post(
      '/datasets/columns',
      async ({ caller, body }) => await services.datasets.columns(caller.read(body.project_id), body),
      columnsRoute,
    )
    .post(
      '/datasets/diff',
      async ({ caller, body }) => (await services.datasets.diff(caller.read(body.project_id), body)) as never,
      diffRoute,
    )
    .post(
      '/datasets/rows_of_call',
      async ({ caller, body }) => ({
        rows: await services.datasets.rowsOfCall(caller.read(body.project_id), body.call_id),
      }),
      rowsOfCallRoute,
    )
