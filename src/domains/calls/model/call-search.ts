import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../formats/schemas/calls.ts'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { TimeText } from '../../../lib/time.ts'

const { project_id, filter, query, engine } = CallsQuery.properties

const Place = Type.Tuple([Type.String(), Type.String()], {
  description: 'Start and id of the call that the next page follows',
})

/** A request to search the texts of calls. */
export const CallSearchRequest = OpenObject({
  project_id,
  text: Type.String({
    minLength: 1,
    maxLength: explorationLimits.searchTextCharsMax,
    description: 'Text to find, in upper or lower case, anywhere in a name, the exception or a JSON value',
  }),
  filter,
  query,
  limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: explorationLimits.searchMatchesMax,
      default: explorationLimits.searchMatchesDefault,
      description: 'Maximum number of calls',
    }),
  ),
  after: Nullable(Type.Tuple([Type.String(), Type.String()], { description: '`after` of the previous response' })),
  engine,
})
export type CallSearchRequest = Static<typeof CallSearchRequest>

const Hit = Type.Object({
  path: Type.String({ description: 'Field that contains the text, as in queries' }),
  snippet: Type.String({ description: 'The text with its surroundings' }),
  start: Type.Integer({ description: 'Where the text begins in the snippet, in UTF-16 code units' }),
  end: Type.Integer(),
})
export type Hit = Static<typeof Hit>

/** A call that contains the text. */
const Match = Type.Object({
  id: Type.String(),
  trace_id: Type.String(),
  op_name: Type.String(),
  started_at: TimeText,
  status: Type.String(),
  hits: Type.Array(Hit, { description: 'The first places where the text is found' }),
})

/** Calls that contain a text, the newest first. */
export const CallSearch = Type.Object({
  matches: Type.Array(Match),
  after: Type.Union([Place, Type.Null()], {
    description: 'Where the search continues, as `after` of the next request; null if everything was searched',
  }),
  calls_read: Type.Integer({
    description: 'Calls that were read for this response, without those that an index ruled out',
  }),
  is_partial: Type.Boolean({
    description: 'Whether the time limit was reached; older calls may match, and `after` continues with them',
  }),
})
export type CallSearch = Static<typeof CallSearch>
