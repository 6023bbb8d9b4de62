import { isJsonObject, mergeObjects, storedJson, withoutMembers } from '../../lib/json-value.ts'
import { ownNamespaces } from './spellings.ts'

/**
 * The prefix of a stored summary with members in the server's own namespace (`summary.ext`). The
 * rest of the text is served as is, with the computed members inserted before it, without parsing.
 * No other stored summary starts like this.
 */
export const ownMembersStart = '{"ext":{'

/**
 * A client's summary as it is stored. Of the server's own namespace, in either spelling, only
 * `views` is kept (contents by name, shown with the call); the rest is computed on read. See
 * docs/decisions/080-views-in-summaries.md.
 */
export function storedSummary(summary: Readonly<Record<string, unknown>>): string {
  const plain = withoutMembers(summary, ...ownNamespaces)
  // The neutral spelling comes last and therefore wins.
  const spelled = ownNamespaces.toReversed().map((namespace) => summary[namespace])
  const views = spelled.filter(isJsonObject).map((own) => own['views'])
  const kept = views.filter(isJsonObject)
  return storedJson(kept.length === 0 ? plain : mergeObjects({ ext: { views: mergeObjects(...kept) } }, plain))
}
