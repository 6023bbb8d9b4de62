import { isJsonObject, joinObjects, withoutMembers } from './json-value.ts'
import { storedJson } from './stored-json.ts'

/**
 * How a stored summary begins that holds members of the server's own namespace (`summary.ext`): the rest of the text follows as it is
 * answered, so the computed members are put before it without parsing any of it. No other stored summary begins so.
 */
export const ownMembersStart = '{"ext":{'

/**
 * A client's summary as it is stored. Of the server's own namespace, in either spelling, only `views` is kept (contents by name, shown
 * beside the call): the rest is computed on reading.
 */
export function storedSummary(summary: Readonly<Record<string, unknown>>): string {
  const plain = withoutMembers(summary, 'ext', 'weave')
  const views = [summary['weave'], summary['ext']].filter(isJsonObject).map((own) => own['views'])
  const kept = views.filter(isJsonObject)
  return storedJson(kept.length === 0 ? plain : joinObjects({ ext: { views: joinObjects(...kept) } }, plain))
}
