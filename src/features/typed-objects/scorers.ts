import { methodName } from '../../kernel/method-name.ts'
import type { ScorerCreate } from '../../model/families.ts'
import { described, membersOf, textOrNull } from './content.ts'
import { classContent, type Family } from './family.ts'
import { placeholderSource } from './object-builder.ts'

export const scorers: Family<ScorerCreate> = {
  one: 'scorer',
  className: 'Scorer',
  defaultName: 'Scorer',
  refMember: 'scorer',
  latestOnly: false,
  contentOf: async (builder, writer, objectId, { name, description, op_source_code }) => {
    const summarize = methodName(objectId, 'summarize')
    return classContent('Scorer', {
      name,
      description: description ?? null,
      // Where scores created through the API look up the op of their scorer.
      score: await builder.saveOp(writer, methodName(objectId, 'score'), op_source_code),
      summarize: await builder.saveOp(writer, summarize, placeholderSource(summarize)),
      column_map: null,
    })
  },
  shown: (version) => ({
    ...described(version),
    score_op: textOrNull(membersOf(version)['score']) ?? '',
  }),
}
