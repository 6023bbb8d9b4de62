import { isJsonObject } from '../../lib/json-value.ts'
import { findText } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'

/**
 * The spans of a trace that MLflow has written to a file, as it did before it had a table for them,
 * each as JSON text. Undefined if the file is not on this machine.
 */
export async function artifactSpans(location: string | undefined): Promise<string[] | undefined> {
  if (location === undefined || /^(?!file:)[a-z][a-z0-9+.-]*:/i.test(location)) return undefined
  const text = await findText(joinPath(location.replace(/^file:\/\//, ''), 'traces.json'))
  if (text === undefined) return undefined
  const trace = JSON.parse(text) as unknown
  const spans = isJsonObject(trace) ? trace['spans'] : undefined
  return Array.isArray(spans) ? spans.map((span) => JSON.stringify(span)) : []
}
