import { isRef } from '../format/ids.ts'
import type { TemplateFormat } from '../prompt/prompt.ts'
import { type Answer, answerIn, formatOfAnswer, newAnswer } from './answer.ts'

/** The class of scorers that ask a language model. */
export const judgeClass = 'LLMAsAJudgeScorer'

/** A field of built-in scorers. */
export type FieldName =
  | 'expected_column'
  | 'output_path'
  | 'pattern'
  | 'json_schema'
  | 'tolerance'
  | 'normalise'
  | 'ignore_case'
  | 'relative'

/** Fields that are switches. */
export const switches: ReadonlySet<FieldName> = new Set(['normalise', 'ignore_case', 'relative'])

/** Built-in scorers that need no model, with their fields. */
export const builtinFields: Readonly<Record<string, readonly FieldName[]>> = {
  ExactMatchScorer: ['expected_column', 'output_path', 'normalise'],
  ContainsScorer: ['expected_column', 'output_path', 'normalise'],
  RegexScorer: ['pattern', 'output_path', 'ignore_case'],
  JSONSchemaScorer: ['json_schema', 'output_path'],
  ValidJSONScorer: ['output_path'],
  NumericDistanceScorer: ['expected_column', 'output_path', 'tolerance', 'relative'],
  EditDistanceScorer: ['expected_column', 'output_path'],
  RougeScorer: ['expected_column', 'output_path'],
}

/** Classes that can be made and edited here. */
export const editableClasses: readonly string[] = [judgeClass, ...Object.keys(builtinFields)]

type Members = Readonly<Record<string, unknown>>

/** What a judge is, as the editor holds it. */
export interface Judge {
  /** Name of a language model, or the ref of a model object. */
  readonly model: string
  readonly prompt: string
  readonly format: TemplateFormat
  readonly temperature: string
  readonly answer: Answer
  /** Members of an inline model and its parameters that have no field, as they were. */
  readonly modelRest: Members
  readonly paramsRest: Members
}

/** The content of a scorer as the editor holds it: what people type is text, faulty or not. */
export interface Scorer {
  readonly className: string
  readonly description: string
  readonly fields: Readonly<Partial<Record<FieldName, string>>>
  readonly judge: Judge | undefined
  /** All other members, as they were. */
  readonly rest: Members
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const defaults: Readonly<Partial<Record<FieldName, string>>> = { expected_column: 'expected', tolerance: '0' }

const emptySchema = `{
  "type": "object",
  "properties": {},
  "required": []
}`

/** A scorer that has just been made. */
export function newScorer(className: string): Scorer {
  const names = builtinFields[className] ?? []
  return {
    className,
    description: '',
    fields: Object.fromEntries(
      names.map((name) => [name, name === 'json_schema' ? emptySchema : (defaults[name] ?? '')]),
    ),
    judge:
      className === judgeClass
        ? {
            model: '',
            prompt: 'Is this answer right?\n\nAnswer: {{output}}\n',
            format: 'mustache',
            temperature: '0',
            answer: newAnswer('boolean'),
            modelRest: {},
            paramsRest: {},
          }
        : undefined,
    rest: { _type: className, _class_name: className, _bases: ['Scorer', 'Object', 'BaseModel'] },
  }
}

/** A stored scorer for the editor. */
export function scorerOf(className: string, val: unknown): Scorer {
  const members = isMembers(val) ? val : {}
  const names = builtinFields[className] ?? []
  const { description, ...others } = members
  if (className === judgeClass) {
    const { model, scoring_prompt, template_format, ...rest } = others
    return {
      className,
      description: textIn(description),
      fields: {},
      judge: judgeOf(model, scoring_prompt, template_format),
      rest,
    }
  }
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !names.some((each) => each === name)))
  const fields = Object.fromEntries(names.map((name) => [name, fieldText(name, members[name])]))
  return { className, description: textIn(description), fields, judge: undefined, rest }
}

function fieldText(name: FieldName, value: unknown): string {
  if (value === undefined || value === null) return defaults[name] ?? ''
  if (name === 'json_schema') return JSON.stringify(value, null, 2)
  return switches.has(name) ? (value === true ? 'true' : '') : String(value)
}

function judgeOf(model: unknown, prompt: unknown, templateFormat: unknown): Judge {
  const { llm_model_id: id, default_params: given, ...modelRest } = isMembers(model) ? model : {}
  const { temperature, response_format: format, ...paramsRest } = isMembers(given) ? given : {}
  return {
    model: typeof model === 'string' ? model : textIn(id),
    prompt: textIn(prompt),
    format: templateFormat === 'mustache' ? 'mustache' : 'braces',
    temperature: temperature === undefined || temperature === null ? '' : String(temperature),
    answer: answerIn(format),
    modelRest,
    paramsRest,
  }
}

const inlineModel = {
  _type: 'LLMStructuredCompletionModel',
  _class_name: 'LLMStructuredCompletionModel',
  _bases: ['Model', 'Object', 'BaseModel'],
}

/** The parameters of the model of a judge, as they are stored. */
export function paramsOf({ temperature, answer, paramsRest }: Judge): Record<string, unknown> {
  const format = formatOfAnswer(answer)
  return {
    ...paramsRest,
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(format !== undefined && { response_format: format }),
  }
}

function storedModel(judge: Judge): unknown {
  const { model, modelRest } = judge
  const params = paramsOf(judge)
  if (isRef(model) || (Object.keys(params).length === 0 && Object.keys(modelRest).length === 0)) return model
  return { ...inlineModel, ...modelRest, llm_model_id: model, default_params: params }
}

/** What is stored of a scorer. @throws {SyntaxError} for a faulty schema */
export function contentOf({ description, fields, judge, rest }: Scorer): Record<string, unknown> {
  const said = description === '' ? {} : { description }
  if (judge !== undefined) {
    const { prompt, format } = judge
    const template = format === 'mustache' ? { template_format: format } : {}
    return { ...rest, ...said, model: storedModel(judge), scoring_prompt: prompt, ...template }
  }
  const values = Object.entries(fields).map(([name, text]) => [name, fieldValue(name, text)])
  return { ...rest, ...said, ...Object.fromEntries(values) }
}

function fieldValue(name: string, text: string): unknown {
  if (name === 'json_schema') return JSON.parse(text)
  if (name === 'tolerance') return Number(text)
  if (name === 'normalise' || name === 'ignore_case' || name === 'relative') return text === 'true'
  return name === 'output_path' && text.trim() === '' ? null : text
}

/** Whether two scorers would be stored as the same content. */
export const isSameScorer = (a: Scorer, b: Scorer): boolean => JSON.stringify(a) === JSON.stringify(b)
