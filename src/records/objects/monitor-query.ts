import { ValidationError } from '../../errors.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import { readQuery } from '../../query/read-query.ts'
import { callsCatalog } from '../../tables/calls-query.ts'
import type { ClassOf } from './object-class.ts'

const monitorClasses: ReadonlySet<string | null> = new Set(['Monitor', 'ClassifierMonitor'])

/**
 * A monitor's `query` says which calls it looks at. One that cannot work is refused when the monitor is saved; one that is no query of
 * calls at all is left as it is.
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
