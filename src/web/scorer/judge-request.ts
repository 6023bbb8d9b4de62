import { messagesIn, plainMessage, providerParams, replacePlaceholders } from '../../lib/completion-request.ts'
import { memberOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import { isRef } from '../format/ids.ts'
import { type Judge, paramsOf } from './scorer.ts'

/** What a judge is sent for one row. */
export interface JudgeRequest {
  readonly model: string
  readonly messages: readonly Readonly<Record<string, unknown>>[]
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
  enabled: isRef(ref),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<JudgeModel> => {
    const [, name = '', digest = ''] = /\/object\/([^/:]+):([^/:]+)$/.exec(ref) ?? []
    const body = { project_id: projectId, object_id: decodeURIComponent(name), digest }
    const { obj } = await post<{ obj: { val: unknown } }>('/obj/read', body, { signal })
    return { model: String(memberOf(obj.val, 'llm_model_id') ?? ''), params: memberOf(obj.val, 'default_params') }
  },
})

/** What is sent to judge an output. @param model of a judge that refers to one */
export function judgeRequest(
  judge: Judge,
  { row, output }: { readonly row: Readonly<Record<string, string>>; readonly output: string },
  model: JudgeModel | undefined,
): JudgeRequest {
  const values: Readonly<Record<string, string>> = { inputs: JSON.stringify(row), ...row, output }
  const params = model?.params ?? paramsOf(judge)
  const missing = new Set<string>()
  const content = replacePlaceholders(judge.prompt, judge.format, (name, found) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) missing.add(name)
    return value ?? found
  })
  const prompt = memberOf(params, 'prompt')
  return {
    model: model?.model ?? judge.model.trim(),
    messages: [...messagesIn(memberOf(params, 'messages_template')).map(plainMessage), { role: 'user', content }],
    prompt: typeof prompt === 'string' && prompt !== '' ? prompt : undefined,
    params: isObject(params) ? providerParams(params) : {},
    missing: [...missing],
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The inputs of the completion that judges. */
export const inputsOfRequest = ({ model, messages, prompt, params }: JudgeRequest): Record<string, unknown> => ({
  ...params,
  model,
  messages,
  ...(prompt !== undefined && { prompt }),
})
