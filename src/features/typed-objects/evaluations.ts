import { evaluate, predictAndScore, summarize } from '../../kernel/evaluation-ops.ts'
import { plainNumbers } from '../../kernel/json-value.ts'
import type { EvaluationCreate } from '../../model/families.ts'
import { described, membersOf, textOrNull, withAttributes } from './content.ts'
import { classContent, type Family } from './family.ts'

export const evaluations: Family<EvaluationCreate> = {
  one: 'evaluation',
  className: 'Evaluation',
  defaultName: 'Evaluation',
  refMember: 'evaluation_ref',
  latestOnly: false,
  contentOf: async (builder, writer, _objectId, create) => {
    const contentWith = (ops: readonly (string | null)[]) =>
      withAttributes(
        'an evaluation',
        classContent('Evaluation', {
          name: create.name,
          description: create.description ?? null,
          dataset: create.dataset,
          scorers: create.scorers ?? [],
          trials: create.trials ?? 1,
          evaluation_name: create.evaluation_name ?? null,
          metadata: null,
          preprocess_model_input: null,
          on_complete: null,
          evaluate: ops[0],
          predict_and_score: ops[1],
          summarize: ops[2],
        }),
        create.eval_attributes,
      )
    // Validates before anything is stored.
    contentWith([null, null, null])
    const ops: string[] = []
    // Every evaluation has these ops, as in the SDKs.
    for (const name of [evaluate, predictAndScore, summarize]) ops.push(await builder.opNamed(writer, name))
    return contentWith(ops)
  },
  shown: (version) => {
    const members = membersOf(version)
    const { scorers } = members
    const trials = plainNumbers(members['trials'])
    return {
      ...described(version),
      dataset: textOrNull(members['dataset']) ?? '',
      scorers: Array.isArray(scorers) ? scorers.filter((scorer) => typeof scorer === 'string') : [],
      trials: typeof trials === 'number' ? trials : 1,
      evaluation_name: textOrNull(members['evaluation_name']),
      evaluate_op: textOrNull(members['evaluate']),
      predict_and_score_op: textOrNull(members['predict_and_score']),
      summarize_op: textOrNull(members['summarize']),
    }
  },
}
