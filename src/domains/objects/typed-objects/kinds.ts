import { evaluate, methodName, predictAndScore, summarize } from '../../../lib/evaluation-ops.ts'
import { plainNumbers, withoutMembers } from '../../../lib/json-value.ts'
import type { DatasetCreate, EvaluationCreate, ModelCreate, OpCreate, ScorerCreate } from '../model/families.ts'
import { classContent, type Family } from './family.ts'
import { described, membersOf, placeholderSource, textOrNull, withAttributes } from './object-builder.ts'

export const ops: Family<OpCreate> = {
  one: 'op',
  className: undefined,
  defaultName: 'Op',
  latestOnly: true,
  contentOf: (builder, writer, objectId, { source_code }) =>
    builder.opContent(writer, source_code ?? placeholderSource(objectId)),
  sourceOf: ({ val }) => ({ val }),
  shown: (_version, code) => ({ code }),
}

/** Members of every model; all others are its attributes. */
const modelMembers = ['_type', '_class_name', '_bases', 'name', 'description', 'files'] as const

export const models: Family<ModelCreate> = {
  one: 'model',
  className: 'Model',
  defaultName: 'Model',
  refMember: 'model_ref',
  latestOnly: false,
  contentOf: async (builder, writer, _objectId, { name, description, source_code, attributes }) => {
    const members = { name, description: description ?? null }
    // Validates before anything is stored.
    withAttributes('a model', classContent('Model', { ...members, files: null }), attributes)
    const files = await builder.saveSource(writer, source_code)
    return withAttributes('a model', classContent('Model', { ...members, files }), attributes)
  },
  // Models written by the SDKs refer to their predict op instead of containing a source.
  sourceOf: (version) => ({ val: version.val, opRef: membersOf(version)['predict'] }),
  shown: (version, source) => {
    const attributes = withoutMembers(membersOf(version), ...modelMembers)
    return {
      ...described(version),
      source_code: source,
      attributes: Object.keys(attributes).length === 0 ? null : attributes,
    }
  },
}

export const datasets: Family<DatasetCreate> = {
  one: 'dataset',
  className: 'Dataset',
  defaultName: 'Dataset',
  latestOnly: false,
  contentOf: async (builder, writer, _objectId, { name, description, rows }) => {
    const { digest } = await builder.tables.writer.create(writer, rows)
    return classContent('Dataset', {
      name: name ?? 'Dataset',
      description: description ?? null,
      rows: builder.tableRef(writer.projectId, digest),
    })
  },
  shown: (version) => ({
    ...described(version),
    rows: textOrNull(membersOf(version)['rows']) ?? '',
  }),
}

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
