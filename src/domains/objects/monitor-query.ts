import { callsCatalog } from '../../engine/tables/calls-query.ts'
import { ValidationError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { readQuery } from '../../query/read-query.ts'
import type { ClassOf } from './object-class.ts'

const monitorClasses: ReadonlySet<string | null> = new Set(['Monitor', 'ClassifierMonitor'])

/**
 * The `query` of a monitor selects the calls it applies to. An invalid one is rejected when the
 * monitor is saved; a value that is not a calls query at all is kept as it is.
 *
 * @throws DomainError InvalidField, InvalidRequest
 */
export function checkMonitorQuery(val: unknown, { base, leaf }: ClassOf): void {
  if (!monitorClasses.has(base) && !monitorClasses.has(leaf)) return
  if (!isJsonObject(val) || !isJsonObject(val['query'])) return
  try {
    readQuery(val['query'], callsCatalog)
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause
  }
}
