import { memberOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import { piecesOf } from '../prompt/variables.ts'
import { isModelRef, type Judge, paramsOf } from './scorer.ts'

/** A message as it is sent. */
type SentMessage = Readonly<Record<string, unknown>> & { readonly role: string; readonly content: unknown }

/** What a judge is sent for one row. */
export interface JudgeRequest {
  readonly model: string
  readonly messages: readonly SentMessage[]
  /** Ref of a prompt whose messages come first. */
  readonly prompt: string | undefined
  /** Settings as providers take them. */
  readonly params: Readonly<Record<string, unknown>>
  /** Variables without a value. If there are any, the server rejects the row. */
  readonly missing: readonly string[]
}

/** A model and its parameters. */
interface JudgeModel {
  readonly model: string
  readonly params: unknown
}

/** Reads the model object that a judge refers to. */
export const judgeModelQuery = (projectId: string, ref: string) => ({
  queryKey: ['model of a judge', projectId, ref],
  enabled: isModelRef(ref),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<JudgeModel> => {
    const [, name = '', digest = ''] = /\/object\/([^/:]+):([^/:]+)$/.exec(ref) ?? []
    const body = { project_id: projectId, object_id: decodeURIComponent(name), digest }
    const { obj } = await post<{ obj: { val: unknown } }>('/obj/read', body, { signal })
    return { model: String(memberOf(obj.val, 'llm_model_id') ?? ''), params: memberOf(obj.val, 'default_params') }
  },
})

// As the server does: src/domains/evaluations/engine/prepare-model.ts.
const classMembers: ReadonlySet<string> = new Set(['_type', '_class_name', '_bases'])
const ownParams: ReadonlySet<string> = new Set([
  'messages_template',
  'prompt',
  'n_times',
  'response_format',
  ...classMembers,
])

/** What is sent to judge an output. @param model of a judge that refers to one */
export function judgeRequest(
  judge: Judge,
  { row, output }: { readonly row: Readonly<Record<string, string>>; readonly output: string },
  model: JudgeModel | undefined,
): JudgeRequest {
  const values: Readonly<Record<string, string>> = { inputs: JSON.stringify(row), ...row, output }
  const params = model?.params ?? paramsOf(judge)
  const pieces = piecesOf(judge.prompt, judge.format)
  const content = pieces
    .map(({ text, name }) =>
      name !== undefined && Object.hasOwn(values, name)
        ? values[name]
        : judge.format === 'braces' && name === undefined
          ? text.replaceAll('{{', '{').replaceAll('}}', '}')
          : text,
    )
    .join('')
  const template = memberOf(params, 'messages_template')
  const prompt = memberOf(params, 'prompt')
  return {
    model: model?.model ?? judge.model.trim(),
    messages: [...(Array.isArray(template) ? template.map(plainMessage) : []), { role: 'user', content }],
    prompt: typeof prompt === 'string' && prompt !== '' ? prompt : undefined,
    params: providerParams(params),
    missing: [
      ...new Set(pieces.flatMap(({ name }) => (name !== undefined && !Object.hasOwn(values, name) ? [name] : []))),
    ],
  }
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

function plainMessage(message: unknown): SentMessage {
  const members = membersOf(message).filter(
    ([name, value]) => !classMembers.has(name) && (value !== null || name === 'content'),
  )
  return { role: '', content: '', ...Object.fromEntries(members) }
}

function providerParams(params: unknown): Readonly<Record<string, unknown>> {
  const passed = membersOf(params).filter(([name, value]) => !ownParams.has(name) && value !== null)
  const format = memberOf(params, 'response_format')
  const isObject = typeof format === 'object' && format !== null
  const asks = isObject ? memberOf(format, 'type') !== 'text' : format === 'json' || format === 'json_object'
  return {
    ...Object.fromEntries(passed),
    ...(asks && { response_format: isObject ? format : { type: 'json_object' } }),
  }
}

/** The inputs of the completion that judges. */
export const inputsOfRequest = ({ model, messages, prompt, params }: JudgeRequest): Record<string, unknown> => ({
  ...params,
  model,
  messages,
  ...(prompt !== undefined && { prompt }),
})
