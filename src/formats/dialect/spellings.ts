import { isJsonObject, mergeObjects, storedJson, withoutMembers } from '../../lib/json-value.ts'
import type { DialectName } from '../../runtime/config/configuration.ts'

/** Names that the server itself writes into responses and data in one dialect. */
interface Spelling {
  /** The server's own member of `summary` and `attributes`. */
  readonly namespace: string
  /** Ref scheme, including slashes. */
  readonly refScheme: string
  /** Scheme of refs that contain an internal project id. */
  readonly internalRefScheme: string
  /** First segment of built-in feedback types, as in `ext.reaction.1`. */
  readonly feedbackPrefix: string
  /** First segment of the server's own op names, as in `ext.completions_create`. */
  readonly opPrefix: string
  /** `_type` of a custom value, and the sibling member with its kind. */
  readonly customType: string
  readonly customTypeMember: string
  /** Prefix of the server's own class names. */
  readonly classPrefix: string
  /** Request header that carries an API key, for exporters that cannot set `Authorization`. */
  readonly keyHeader: string
}

/**
 * `ext` is the language of the specification, of the code and of the data on disk; `weave` is what
 * existing SDKs speak.
 */
export const spellings: Readonly<Record<DialectName, Spelling>> = {
  ext: {
    namespace: 'ext',
    refScheme: 'ext:///',
    internalRefScheme: 'ext-internal:///',
    feedbackPrefix: 'ext',
    opPrefix: 'ext',
    customType: 'CustomExtType',
    customTypeMember: 'ext_type',
    classPrefix: 'Ext',
    keyHeader: 'ext-api-key',
  },
  weave: {
    namespace: 'weave',
    refScheme: 'weave:///',
    internalRefScheme: 'weave-trace-internal:///',
    feedbackPrefix: 'wandb',
    opPrefix: 'weave',
    customType: 'CustomWeaveType',
    customTypeMember: 'weave_type',
    classPrefix: 'Weave',
    keyHeader: 'wandb-api-key',
  },
}

const inBoth = (word: keyof Spelling): readonly string[] => [spellings.ext[word], spellings.weave[word]]

/**
 * Clients of both dialects write to one store, so what they sent is understood in either. The
 * neutral spelling comes first.
 */
export const ownNamespaces = inBoth('namespace')
export const feedbackPrefixes = inBoth('feedbackPrefix')
export const customTypeMembers = inBoth('customTypeMember')
export const keyHeaders = inBoth('keyHeader')

/** Refs to artifacts of the vendor's older service; they have no neutral spelling. */
export const artifactScheme = 'wandb-artifact:///'

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
  if (!ownNamespaces.some((namespace) => Object.hasOwn(summary, namespace))) return storedJson(summary)
  const plain = withoutMembers(summary, ...ownNamespaces)
  // The neutral spelling comes last and therefore wins.
  const spelled = ownNamespaces.toReversed().map((namespace) => summary[namespace])
  const views = spelled.filter(isJsonObject).map((own) => own['views'])
  const kept = views.filter(isJsonObject)
  return storedJson(kept.length === 0 ? plain : mergeObjects({ ext: { views: mergeObjects(...kept) } }, plain))
}
