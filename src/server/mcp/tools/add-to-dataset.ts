import { Type } from '@sinclair/typebox'
import type { ProjectWriter } from '../../../domains/access/index.ts'
import { datasets } from '../../../domains/objects/index.ts'
import { parseObject } from '../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { valueAt } from '../../../lib/present.ts'
import { AnswerText } from '../text/answer-text.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, projectIdOf } from './arguments.ts'

type DatasetRow = Record<string, unknown>

/** Adds calls to a dataset as rows. */
export const addToDataset = defineTool({
  name: 'add_to_dataset',
  title: 'Add calls to a dataset',
  description:
    'Adds calls as rows {"inputs", "output"} to a dataset, as a new version; creates it if it does not exist.',
  input: Arguments({
    dataset: Type.String({ minLength: 1, maxLength: operationLimits.idCharsMax, description: 'Name of the dataset' }),
    call_ids: Type.Array(Type.String(), { minItems: 1, maxItems: toolLimits.agentRowsMax }),
  }),
  writes: true,
  answer: async (context, { project: named, dataset, call_ids }) => {
    const writer = context.caller.write(projectIdOf(context, named))
    const rows = await rowsOf(context, writer, call_ids)
    const missing = call_ids.filter((id) => !rows.has(id))
    if (missing.length > 0)
      throw new DomainError(
        'NotFound',
        `Cannot add to the dataset: the project has no call ${missing
          .slice(0, 5)
          .map((id) => quoted(id))
          .join(', ')}`,
      )
    const digest = await append(
      context,
      writer,
      dataset,
      call_ids.map((id) => valueAt(rows, id)),
    )
    const answer = new AnswerText()
    answer.add(`Added ${call_ids.length} rows to the dataset ${dataset}, version ${digest}.`)
    return answer.end()
  },
})

/** Inputs and output of calls by id, numbers as sent. */
async function rowsOf(
  { services, signal }: ToolContext,
  writer: ProjectWriter,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasetRow>> {
  const request = { filter: { call_ids: [...ids] }, columns: ['id', 'inputs', 'output'], omit_null: true }
  const rows = new Map<string, DatasetRow>()
  for await (const lines of services.calls.reader.jsonLines(writer, request, signal)) {
    for (const line of lines) {
      const { id, inputs, output } = parseObject(line)
      rows.set(String(id), { inputs, ...(output !== undefined && { output }) })
    }
  }
  return rows
}

/** Makes the next version of a dataset and returns its digest. */
async function append(
  { services }: ToolContext,
  writer: ProjectWriter,
  name: string,
  rows: readonly DatasetRow[],
): Promise<string> {
  const version = await services.objects.find(writer, { object_id: name, digest: 'latest', kind: 'object' })
  if (version === undefined) {
    const made = await services.typedObjects.create(datasets, writer, { name, rows: [...rows] })
    return String(made['digest'])
  }
  const { val } = version
  const ref = isJsonObject(val) ? val['rows'] : undefined
  if (!isJsonObject(val) || typeof ref !== 'string')
    throw new DomainError('InvalidRequest', `Cannot add to the dataset: the object ${quoted(name)} is not a dataset`)
  const base = ref.slice(ref.lastIndexOf('/') + 1)
  const updates = rows.map((row) => ({ append: { row } }))
  const table = await services.tables.writer.update(writer, base, updates)
  const next = { ...val, rows: ref.slice(0, -base.length) + table.digest }
  const { digest } = await services.objects.create(writer, { object_id: name, val: next })
  return digest
}
