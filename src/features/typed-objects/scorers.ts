import { methodName } from '../../kernel/method-name.ts'
import type { ScorerCreate } from '../../model/families.ts'
import { described, membersOf, textOrNull } from './content.ts'
import { classContent, type Family } from './family.ts'
import { placeholderSource } from './parts.ts'

export const scorers: Family<ScorerCreate> = {
  one: 'scorer',
  className: 'Scorer',
  defaultName: 'Scorer',
  refMember: 'scorer',
  latestOnly: false,
  contentOf: async (parts, writer, objectId, { name, description, op_source_code }) => {
    const summarize = methodName(objectId, 'summarize')
    return classContent('Scorer', {
      name,
      description: description ?? null,
      // Where scores that are given through the API look for the op of their scorer.
      score: await parts.saveOp(writer, methodName(objectId, 'score'), op_source_code),
      summarize: await parts.saveOp(writer, summarize, placeholderSource(summarize)),
      column_map: null,
    })
  },
  shown: (version) => ({
    ...described(version),
    score_op: textOrNull(membersOf(version)['score']) ?? '',
  }),
}
