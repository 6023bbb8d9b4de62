import { validate } from 'uuid'
import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { EvaluationDependencies } from './dependencies.ts'
import { feedbackIdOf } from './engine/score-feedback.ts'
import { callMembers, type EvaluationCall, markedQuery, ownAttributeIs, textIn } from './evaluation-calls.ts'

/** Distinct ids of a delete request. @throws DomainError RequestTooLarge for too many */
export function idsToDelete(what: string, ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)]
  if (distinct.length > operationLimits.deleteIdsMax) {
    throw new DomainError(
      'RequestTooLarge',
      tooMany(`${what} to delete`, distinct.length, operationLimits.deleteIdsMax, ' per request'),
    )
  }
  return distinct
}

export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NotFound', `The ${what} ${quoted(id)} does not exist`)

type Deps = Pick<EvaluationDependencies, 'calls' | 'feedback'>

/** Ids of the scores in these runs, in the traces of the runs. */
export const scoresOfRuns = (deps: Deps, reader: ProjectReader, runs: readonly EvaluationCall[]): Promise<string[]> =>
  idsInSlices(runs, (some) =>
    scoreIds(
      deps,
      reader,
      { trace_ids: [...new Set(some.map(({ traceId }) => traceId))] },
      ownAttributeIs(
        'evaluation_run_id',
        some.map(({ id }) => id),
      ),
    ),
  )

/** Ids of the scores directly below these calls. */
export const scoresBelow = (deps: Deps, reader: ProjectReader, callIds: readonly string[]): Promise<string[]> =>
  idsInSlices(callIds, (some) => scoreIds(deps, reader, { parent_ids: [...some] }))

async function idsInSlices<Item>(items: readonly Item[], read: (some: readonly Item[]) => Promise<string[]>) {
  const found: string[] = []
  for (let from = 0; from < items.length; from += operationLimits.filterValuesMax) {
    found.push(...(await read(items.slice(from, from + operationLimits.filterValuesMax))))
  }
  return found
}

async function scoreIds(
  { calls }: Deps,
  reader: ProjectReader,
  filter: { readonly trace_ids?: string[]; readonly parent_ids?: string[] },
  ...conditions: readonly Readonly<Record<string, unknown>>[]
): Promise<string[]> {
  const request = { filter, query: markedQuery('score', ...conditions), columns: ['id'], sort_by: [] }
  const found: string[] = []
  for await (const { id } of callMembers(calls, reader, request)) found.push(id)
  return found
}

/**
 * Deletes the feedback that belongs to scores, whether created by a request or by a scorer on the
 * server. It is deleted before the scores: after a crash in between, repeating the request finds
 * them and completes the deletion.
 */
export async function removeScoreFeedback({ feedback }: Deps, writer: ProjectWriter, ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += operationLimits.purgeIdsMax) {
    const some = ids.slice(from, from + operationLimits.purgeIdsMax)
    await feedback.writer.remove(
      writer,
      some.flatMap((id) => (validate(id) ? [id, feedbackIdOf(id)] : [id])),
    )
  }
}

/**
 * Deletes scores of predictions among these calls and their descendants that are in no run and thus
 * would not be deleted with the calls; including their feedback. Called before the calls are
 * deleted: after a crash, repeating the request finds what is left.
 */
export async function deleteScoresOutsideRuns(
  deps: Deps & Pick<EvaluationDependencies, 'reader'>,
  writer: ProjectWriter,
  callIds: readonly string[],
): Promise<void> {
  const going = new Set(await deps.calls.writer.withDescendants(writer, callIds))
  if (going.size === 0) return
  // The condition avoids reading most other scores, but its length is limited.
  const named = going.size <= operationLimits.filterValuesMax ? [ownAttributeIs('prediction_id', [...going])] : []
  const request = { filter: { trace_roots_only: true }, query: markedQuery('score', ...named) }
  const found: string[] = []
  for await (const calls of deps.reader.stream(writer, request, undefined)) {
    for (const { id, mark } of calls) if (going.has(textIn(mark, 'prediction_id') ?? '')) found.push(id)
  }
  await removeScoreFeedback(deps, writer, found)
  for (let from = 0; from < found.length; from += operationLimits.deleteIdsMax) {
    await deps.calls.writer.delete(writer, found.slice(from, from + operationLimits.deleteIdsMax))
  }
}
