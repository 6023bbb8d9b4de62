import { callsTable } from '../../engine/tables/calls-table.ts'
import { mapItems } from '../../formats/body/batch-item.ts'
import { checkProjectOfBody } from '../../formats/body/project-path.ts'
import type { CallBatchItem, CallIds, CompletedCall } from '../../formats/schemas/calls.ts'
import { DomainError, quoted, ValidationError } from '../../lib/errors.ts'
import { mergeParts, type Row } from '../../lib/table.ts'
import { cellAt } from '../../lib/typed-rows.ts'
import { completePart, endPart, type PartOptions, startPart } from './parts.ts'

/**
 * Parts of one request, merged by call: halves the log size for a start and an end sent together.
 */
export class PartsByCall {
  readonly rows: Row[] = []
  /**
   * By project, then id: joining both into one string would cost more than everything else here.
   */
  private readonly known = new Map<string, Map<string, Row>>()

  add(part: Row): void {
    const project = cellAt(part, callsTable.at.project_id)
    const id = cellAt(part, callsTable.at.id)
    const rows = this.known.get(project) ?? new Map<string, Row>()
    const known = rows.get(id)
    if (known !== undefined) {
      mergeParts(callsTable, known, part)
      return
    }
    if (rows.size === 0) this.known.set(project, rows)
    rows.set(id, part)
    this.rows.push(part)
  }

  find(project: string, id: string): Row | undefined {
    return this.known.get(project)?.get(id)
  }
}

/** The calls of a request as rows, and what the request is answered. */
export interface CollectedCalls {
  readonly rows: readonly Row[]
  /** For each item the ids of a start, or nothing for an end. */
  readonly results: readonly (CallIds | Record<string, never>)[]
}

/**
 * Starts and ends of calls as rows.
 *
 * @throws ValidationError with the place of the invalid item; whatever `optionsOf` throws
 */
export async function collectParts(
  items: readonly CallBatchItem[],
  optionsOf: (projectId: string) => PartOptions,
): Promise<CollectedCalls> {
  const parts = new PartsByCall()
  const results = await mapItems(items, (item, index) => {
    checkMode(item, index)
    if ('end' in item.req) {
      const { end } = item.req
      parts.add(endPart(end, end.project_id, optionsOf(end.project_id)))
      return {}
    }
    const { start } = item.req
    const { part, ids } = startPart(start, start.project_id, optionsOf(start.project_id))
    parts.add(part)
    return ids
  })
  return { rows: parts.rows, results }
}

/** A completed call as it is sent; it need not name the project of its path. */
export type SentCall = Omit<CompletedCall, 'project_id'> & { readonly project_id?: string | undefined }

/**
 * Completed calls of a project as rows.
 *
 * @throws ValidationError with the place of the invalid call; DomainError InvalidRequest if a call
 *   names another project
 */
export async function collectCompleted(
  calls: readonly SentCall[],
  projectId: string,
  options: PartOptions,
): Promise<CollectedCalls> {
  await mapItems(calls, (call) => checkProjectOfBody(call, projectId))
  const parts = new PartsByCall()
  await mapItems(calls, (call) => parts.add(completePart(call, projectId, options)))
  return { rows: parts.rows, results: [] }
}

/**
 * @throws DomainError InvalidRequest for an unknown mode; ValidationError if mode and item do not
 *   match
 */
function checkMode({ mode, req }: CallBatchItem, index: number): void {
  const half = 'end' in req ? 'end' : 'start'
  if (mode === undefined || mode === half) return
  if (mode !== 'start' && mode !== 'end') {
    throw new DomainError('InvalidRequest', `Invalid mode ${quoted(mode)} of batch item ${index}: use "start" or "end"`)
  }
  throw new ValidationError([
    { loc: ['body', 'batch', String(index), 'req', mode], msg: 'Field required', type: 'missing' },
  ])
}
