/** How a judge may answer. */
export type AnswerKind = 'boolean' | 'labels' | 'number' | 'any'

/** The answers that a judge may give, as the editor holds them. */
export interface Answer {
  readonly kind: AnswerKind
  /** Member of the answer that is the score. */
  readonly name: string
  /** One per line. */
  readonly labels: string
  readonly low: string
  readonly high: string
  readonly hasReason: boolean
  /** The stored format of answers of the kind `any`, as it was. */
  readonly format: unknown
}

const names: Readonly<Record<AnswerKind, string>> = { boolean: 'passed', labels: 'verdict', number: 'grade', any: '' }
const rangeMax = 100

/** Answers of a kind, as a new judge has them. */
export const newAnswer = (kind: AnswerKind): Answer => ({
  kind,
  name: names[kind],
  labels: 'good\nbad',
  low: '1',
  high: '5',
  hasReason: true,
  format: undefined,
})

/** Changes the kind of the answers. A default name becomes that of the new kind. */
export const ofKind = (answer: Answer, kind: AnswerKind): Answer => ({
  ...answer,
  kind,
  name: Object.values(names).includes(answer.name) ? names[kind] : answer.name,
})

/** The labels of an answer. */
export const labelsOf = ({ labels }: Answer): readonly string[] =>
  labels
    .split('\n')
    .map((label) => label.trim())
    .filter((label) => label !== '')

/** The range of numbers; undefined if it is none. */
export function rangeOf({ low, high }: Answer): readonly [low: number, high: number] | undefined {
  const isWhole = (text: string) => /^-?\d{1,6}$/.test(text.trim())
  const [from, to] = [Number(low), Number(high)]
  return isWhole(low) && isWhole(high) && from < to && to - from <= rangeMax ? [from, to] : undefined
}

/** The response format that allows these answers only; undefined for none. */
export function formatOfAnswer(answer: Answer): unknown {
  const { kind, name, hasReason, format } = answer
  if (kind === 'any') return format
  const required = [...(hasReason ? ['reason'] : []), name]
  // The reason comes first: what a model has written down, its answer follows from.
  const properties = { ...(hasReason && { reason: { type: 'string' } }), [name]: valueSchema(answer) }
  const schema = { type: 'object', properties, required, additionalProperties: false }
  return { type: 'json_schema', json_schema: { name: 'score', strict: true, schema } }
}

function valueSchema(answer: Answer): object {
  if (answer.kind === 'boolean') return { type: 'boolean' }
  if (answer.kind === 'labels') return { type: 'string', enum: labelsOf(answer) }
  const [low, high] = rangeOf(answer) ?? [0, 0]
  // Listed: providers know enumerations, and not all know bounds.
  return { type: 'integer', enum: Array.from({ length: high - low + 1 }, (_, at) => low + at) }
}

type Members = Readonly<Record<string, unknown>>

const membersIn = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

/** The answers that a stored response format allows. */
export function answerIn(format: unknown): Answer {
  const any = { ...newAnswer('any'), format: format ?? undefined }
  const schema = membersIn(membersIn(membersIn(format)['json_schema'])['schema'])
  const { reason, ...others } = membersIn(schema['properties'])
  const [[name, value] = ['', undefined], ...more] = Object.entries(others)
  if (name === '' || more.length > 0) return any
  const { type, enum: listed } = membersIn(value)
  const base = { name, hasReason: reason !== undefined, format: undefined }
  const found =
    type === 'boolean'
      ? { ...newAnswer('boolean'), ...base }
      : Array.isArray(listed) && listed.every((each) => typeof each === 'string')
        ? { ...newAnswer('labels'), ...base, labels: listed.join('\n') }
        : Array.isArray(listed) && listed.every((each) => Number.isInteger(each))
          ? { ...newAnswer('number'), ...base, low: String(listed[0]), high: String(listed.at(-1)) }
          : undefined
  // A format that says more than the fields do stays as it is.
  return found !== undefined && JSON.stringify(formatOfAnswer(found)) === JSON.stringify(format) ? found : any
}

/** Whether an answer is one that the judge was asked for. */
export function isAllowed(answer: Answer, value: unknown): boolean {
  if (answer.kind === 'any') return true
  const given = membersIn(value)[answer.name]
  if (answer.kind === 'boolean') return typeof given === 'boolean'
  if (answer.kind === 'labels') return labelsOf(answer).some((label) => label === given)
  const [low, high] = rangeOf(answer) ?? [0, 0]
  return typeof given === 'number' && Number.isInteger(given) && given >= low && given <= high
}
