import { logLimits } from '../../../lib/limits/objects.ts'
import { isObjectError, type ObjectStore } from '../../../runtime/objects/object-store.ts'
import { BorderMoved } from '../fenced-log.ts'
import { decodeLogObject, type LogObject, logName, numberOfName } from '../log-object.ts'

/**
 * What a log has above a border, in order, without taking it over: everything that was acknowledged
 * before the call. Its writer goes on meanwhile.
 *
 * @param border read from the table before
 * @param hasMoved whether the table has another border by now
 * @throws BorderMoved if the table may have some of it by now: read its border again
 */
export async function* readLogBeside(
  store: ObjectStore,
  folder: string,
  border: number,
  hasMoved: () => Promise<boolean>,
): AsyncGenerator<LogObject, void> {
  const numbers: number[] = []
  for await (const { name } of store.list(`${folder}/`, { after: logName(folder, border) }))
    numbers.push(numberOfName(name))
  // Numbers have no gaps, so rows that are not there any more are in the table. The last ones leave
  // no gap, but none is removed before the border has moved.
  if (numbers.some((number, index) => number !== border + 1 + index) || (await hasMoved())) throw moved(folder)
  const ahead: Promise<LogObject>[] = []
  for (let next = 0; next < numbers.length || ahead.length > 0; ) {
    const number = numbers[next]
    if (number !== undefined && ahead.length < logLimits.readAhead) {
      const object = readObject(store, folder, number)
      // Reported when its turn comes, if it does.
      object.catch(() => {})
      ahead.push(object)
      next++
      continue
    }
    const object = await ahead.shift()
    if (object?.kind === 'rows') yield object
  }
}

async function readObject(store: ObjectStore, folder: string, number: number): Promise<LogObject> {
  const name = logName(folder, number)
  try {
    return decodeLogObject(name, (await store.get(name)).bytes)
  } catch (cause) {
    throw isObjectError(cause, 'absent') ? moved(folder) : cause
  }
}

const moved = (folder: string): BorderMoved =>
  new BorderMoved(`Rows of ${folder} were stored in the table while the log was read`)
