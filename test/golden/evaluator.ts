import type { Operation } from '../conformance/support/query-expression.ts'
import { type Json, NumberText, print } from './random-json.ts'

/*
 * A second, naive implementation of the semantics of query expressions in
 * docs/decisions/010-query-values.md, over values in memory. It shares no code with the compiler.
 */

export type Type = 'text' | 'time' | 'integer' | 'double' | 'boolean' | 'texts' | 'json' | 'null'

/**
 * A value with its type. Integers are bigints; times are doubles of seconds; `undefined` is null.
 */
interface Typed {
  readonly type: Type
  readonly value: string | bigint | number | boolean | Json | readonly string[] | undefined
  readonly isLiteral?: true
  /** If missing, compares as the empty text. */
  readonly isEmptyIfMissing?: boolean
  readonly spelling?: 'ref' | 'feedback type' | undefined
}

/** A row by column. JSON columns hold `Json`, times doubles of seconds. */
export type DataRow = Readonly<Record<string, unknown>>

/** The properties of a table's columns that the meaning of a query depends on. */
export interface Shape {
  readonly types: Readonly<Record<string, Type>>
  /** Text columns that compare as the empty text if missing. */
  readonly emptyIfMissing?: readonly string[]
  /** Text columns whose empty text is null. */
  readonly nullIfEmpty?: readonly string[]
  /** Columns of refs, and of feedback types as spelled by the vendor's clients. */
  readonly refs?: readonly string[]
  readonly feedbackTypes?: readonly string[]
  /** Alternative names of a column. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * A text compared with a number counts as the number it contains, and a null in a list matches
   * missing values.
   */
  readonly isLenient: boolean
}

const callsShape: Shape = {
  types: {
    op_name: 'text',
    parent_id: 'text',
    display_name: 'text',
    exception: 'text',
    ext_run_step: 'integer',
    started_at: 'time',
    ended_at: 'time',
    deleted_at: 'time',
    input_refs: 'texts',
    inputs: 'json',
    output: 'json',
  },
  emptyIfMissing: ['exception', 'display_name', 'thread_id', 'turn_id'],
  nullIfEmpty: ['display_name'],
  isLenient: false,
}

/** The expression can never be evaluated, whatever the data. */
export class Refused extends Error {}

type Truth = boolean | undefined

/**
 * Whether a condition holds for a row; undefined is unknown.
 *
 * @throws Refused
 */
export const holds = (operation: Operation, row: DataRow, shape: Shape = callsShape): Truth =>
  new Evaluator(shape, row).holds(operation)

/** Evaluates expressions over one row. */
class Evaluator {
  private readonly shape: Shape
  private readonly row: DataRow

  constructor(shape: Shape, row: DataRow) {
    this.shape = shape
    this.row = row
  }

  holds(operation: Operation): Truth {
    const [[name, argument]] = Object.entries(operation) as [[string, unknown]]
    const list = argument as Operation[]
    switch (name) {
      case '$and': {
        const truths = list.map((item) => this.condition(item))
        return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true
      }
      case '$or':
        return either(list.map((item) => this.condition(item)))
      case '$not': {
        const truth = this.condition(list[0]!)
        return truth === undefined ? undefined : !truth
      }
      case '$in':
        return this.isOneOf(argument as [Operation, Operation[]])
      case '$contains':
      case '$containsToken':
        return this.search(name, argument as Search)
      default: {
        const [a, b] = list as [Operation, Operation]
        const [left, right] = [this.value(a), this.value(b)]
        if (isNullLiteral(a) || isNullLiteral(b)) {
          return name === '$eq' ? isNull(isNullLiteral(b) ? left : right) : undefined
        }
        return this.compare(name, left, right)
      }
    }
  }

  /** A null literal before the list does not test for null: its comparisons are unknown. */
  private isOneOf([item, others]: [Operation, Operation[]]): Truth {
    const left = this.value(item)
    const truths = others.map((other): Truth => {
      if (isNullLiteral(other)) return this.shape.isLenient && isNull(left) ? true : undefined
      return this.compare('$eq', left, this.value(other))
    })
    return either(truths)
  }

  private condition(operation: Operation): Truth {
    const [name] = Object.keys(operation)
    if (!['$literal', '$getField', '$convert', '$size'].includes(name!)) return this.holds(operation)
    if (isNullLiteral(operation)) return undefined
    const operand = this.value(operation)
    if (operand.type === 'boolean') return operand.value as Truth
    if (operand.type === 'json') return toBoolean(operand)
    throw new Refused('no condition')
  }

  private value(operation: Operation): Typed {
    const [[name, argument]] = Object.entries(operation) as [[string, unknown]]
    switch (name) {
      case '$literal':
        return { ...literal(argument), isLiteral: true }
      case '$getField':
        return this.field(argument as string)
      case '$size':
        return { type: 'integer', value: size(this.value(argument as Operation)) }
      case '$convert': {
        const { input, to } = argument as { input: Operation; to: string }
        return convert(this.value(input), to)
      }
      default:
        return { type: 'boolean', value: this.holds(operation) }
    }
  }

  private field(path: string): Typed {
    const { types, emptyIfMissing, nullIfEmpty, refs, feedbackTypes, aliases } = this.shape
    const [first, ...segments] = path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
    const name = aliases?.[first!] ?? first!
    const type = types[name]!
    const stored = (this.row[name] ?? undefined) as Typed['value']
    switch (type) {
      case 'json': {
        let json: Json | undefined = this.row[name] as Json
        for (const segment of segments) json = step(json, segment)
        return { type, value: json }
      }
      case 'integer':
        return { type, value: stored === undefined ? undefined : BigInt(stored as number) }
      case 'text': {
        if (feedbackTypes?.includes(name)) {
          return { type, value: stored && vendorType(stored as string), spelling: 'feedback type' }
        }
        return {
          type,
          value: nullIfEmpty?.includes(name) && stored === '' ? undefined : stored,
          isEmptyIfMissing: emptyIfMissing?.includes(name) === true,
          spelling: refs?.includes(name) ? 'ref' : undefined,
        }
      }
      default:
        return { type, value: stored }
    }
  }

  private compare(name: string, a: Typed, b: Typed): Truth {
    if (a.type === 'texts' || b.type === 'texts') throw new Refused('a list is not compared')
    if (a.type === 'time' || b.type === 'time') return ordered(name, seconds(a), seconds(b))
    if (a.type === 'json' && b.type === 'json') {
      if (a.value instanceof NumberText && b.value instanceof NumberText) return asNumbers(name, a, b)
      return ordered(name, bytes(toText(a)), bytes(toText(b)))
    }
    if (a.type === 'json' || b.type === 'json') {
      const other = a.type === 'json' ? b.type : a.type
      if (other === 'text') return asTexts(name, a, b)
      if (other === 'boolean') return ordered(name, toBoolean(a), toBoolean(b))
      return asNumbers(name, a, b)
    }
    if (a.type === 'text' && b.type === 'text') return asTexts(name, a, b)
    if (a.type === 'text' || b.type === 'text') {
      const isNumber = [a, b].some(({ type }) => type === 'integer' || type === 'double')
      if (this.shape.isLenient && isNumber) return asNumbers(name, a, b)
      throw new Refused('text and number')
    }
    if (a.type === 'double' || b.type === 'double') return ordered(name, toDouble(a), toDouble(b))
    return ordered(name, toInteger(a), toInteger(b))
  }

  private search(name: string, { input, substr, case_insensitive }: Search): Truth {
    const [a, b] = [this.value(input), this.value(substr)]
    if (isNullLiteral(input) || isNullLiteral(substr)) return undefined
    const fold = (text: string) => (case_insensitive ? text.toLowerCase() : text)
    const sought = toText(refuseLists(b))
    if (a.type === 'texts') {
      const list = a.value as string[] | undefined
      if (list === undefined || sought === undefined) return undefined
      return list.map(fold).includes(fold(sought))
    }
    if (a.type !== 'text' && a.type !== 'json') return undefined
    if (name === '$contains' && b.isLiteral && sought === '') return true
    const text = toText(orEmpty(a))
    if (text === undefined || sought === undefined) return undefined
    const tokens = fold(text).split(/[^\p{L}\p{N}]+/u)
    return partsOf(a, b, sought).some((part) =>
      name === '$contains' ? fold(text).includes(fold(part)) : tokens.includes(fold(part)),
    )
  }
}

const either = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(undefined) ? undefined : false

const isNullLiteral = (operation: Operation): boolean => '$literal' in operation && operation['$literal'] === null

const isNull = ({ type, value }: Typed): boolean => value === undefined || (type === 'json' && value === null)

/** A built-in feedback type as spelled by the vendor's clients. */
const vendorType = (type: string): string => (isBuiltIn(type) ? `wandb.${type.slice(4)}` : type)

const isBuiltIn = (type: string): boolean =>
  /^ext\.(reaction\.1|note\.1|agent_monitor|agent_user_feedback|(annotation|runnable)\..*)$/s.test(type)

/**
 * Forms of a literal that may occur in a text: a ref in either scheme, a feedback type in either
 * dialect.
 */
function partsOf({ spelling }: Typed, { isLiteral, type }: Typed, part: string): string[] {
  if (!isLiteral || type !== 'text') return [part]
  if (spelling === 'ref') {
    const [, scheme, rest] = /^(ext|weave):\/\/\/(.*)$/s.exec(part) ?? []
    return scheme === undefined ? [part] : ['ext', 'weave'].map((other) => `${other}:///${rest}`)
  }
  return spelling === 'feedback type' && part.startsWith('ext.') ? [part, `wandb.${part.slice(4)}`] : [part]
}

function literal(scalar: unknown): Typed {
  switch (typeof scalar) {
    case 'string':
      return { type: 'text', value: scalar }
    case 'boolean':
      return { type: 'boolean', value: scalar }
    case 'bigint':
      return { type: 'integer', value: scalar }
    case 'number':
      return Number.isInteger(scalar) ? { type: 'integer', value: BigInt(scalar) } : { type: 'double', value: scalar }
    default:
      return { type: 'text', value: undefined }
  }
}

function step(json: Json | undefined, segment: string): Json | undefined {
  if (json instanceof Map) return json.get(segment)
  if (!Array.isArray(json) || !/^(0|-?[1-9]\d*)$/.test(segment)) return undefined
  return json.at(Number(segment))
}

/** The text of a value; undefined if null. */
function toText({ type, value }: Typed): string | undefined {
  if (value === undefined) return undefined
  switch (type) {
    case 'text':
      return value as string
    case 'integer':
    case 'boolean':
      return String(value)
    case 'double':
      return String(value)
    case 'time':
      return new Date((value as number) * 1000)
        .toISOString()
        .replace('.000Z', 'Z')
        .replace(/(\.\d{3})Z$/, '$1000Z')
    case 'json':
      if (value === null) return undefined
      if (value instanceof NumberText) return value.text.replace(/\.0$/, '')
      return typeof value === 'string' ? value : print(value as Json)
    default:
      throw new Refused('a list has no text')
  }
}

const integerForm = /^-?\d{1,39}$/
const numberForm = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/

function toDouble(typed: Typed): number | undefined {
  if (typed.type === 'texts') throw new Refused('a list is no number')
  if (typed.value === undefined) return undefined
  if (typed.type === 'json' && typeof typed.value === 'boolean') return undefined
  if (typed.type === 'boolean' || typed.type === 'integer' || typed.type === 'double' || typed.type === 'time')
    return Number(typed.value)
  const text = toText(typed)
  return text !== undefined && numberForm.test(text) ? Number(text) : undefined
}

function toInteger(typed: Typed): bigint | undefined {
  if (typed.type === 'texts') throw new Refused('a list is no number')
  if (typed.type === 'integer') return typed.value as bigint | undefined
  if (typed.value === undefined) return undefined
  if (typed.type === 'boolean') return typed.value ? 1n : 0n
  if (typed.type === 'time') return BigInt(Math.floor(typed.value as number))
  const text = toText(typed)
  if (text === undefined || !integerForm.test(text)) return undefined
  const integer = BigInt(text)
  return BigInt.asIntN(64, integer) === integer ? integer : undefined
}

function toBoolean(typed: Typed): boolean | undefined {
  if (typed.type === 'texts' || typed.type === 'time') throw new Refused('no truth value')
  if (typed.type === 'boolean') return typed.value as boolean | undefined
  const text = toText(typed)
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
}

function convert(input: Typed, to: string): Typed {
  if (to === 'string' && input.type === 'text') return input
  if (to === 'int' && input.type === 'integer') return input
  if (to === 'double' && input.type === 'double') return input
  switch (to) {
    case 'exists':
      return { type: 'boolean', value: !isNull(input) }
    case 'string':
      return { type: 'text', value: toText(refuseLists(input)) }
    case 'double':
      return { type: 'double', value: toDouble(input) }
    case 'int':
      return { type: 'integer', value: toInteger(input) }
    default:
      return { type: 'boolean', value: toBoolean(input) }
  }
}

function refuseLists(typed: Typed): Typed {
  if (typed.type === 'texts') throw new Refused('a list has no text')
  return typed
}

function size({ type, value }: Typed): bigint | undefined {
  if (type === 'texts') return BigInt((value as string[] | undefined)?.length ?? 0)
  if (value === undefined || value === null) return undefined
  if (type !== 'text' && type !== 'json') return undefined
  if (typeof value === 'string') return BigInt([...value].length)
  if (Array.isArray(value)) return BigInt(value.length)
  return value instanceof Map ? BigInt(value.size) : undefined
}

const orEmpty = (typed: Typed): Typed =>
  typed.isEmptyIfMissing && typed.value === undefined ? { ...typed, value: '' } : typed

/** Refs of either scheme equal a literal ref of the other. */
function asTexts(name: string, left: Typed, right: Typed): Truth {
  const [a, b] = [toText(orEmpty(left)), toText(orEmpty(right))]
  const isType = left.spelling === 'feedback type' || right.spelling === 'feedback type'
  const hasLiteral = [left, right].some((typed) => typed.isLiteral && typed.type === 'text')
  if (name === '$eq' && isType && hasLiteral) return ordered(name, a && vendorType(a), b && vendorType(b))
  const neutral = (text: string | undefined) => (hasLiteral ? text?.replace(/^weave:\/\/\//, 'ext:///') : text)
  return name === '$eq' ? ordered(name, neutral(a), neutral(b)) : ordered(name, bytes(a), bytes(b))
}

/** Texts that JavaScript orders like their UTF-8 bytes. */
const bytes = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text).toString('latin1')

function asNumbers(name: string, a: Typed, b: Typed): Truth {
  const [x, y] = [wholeNumber(a), wholeNumber(b)]
  if (x !== undefined && y !== undefined) return ordered(name, x, y)
  return ordered(name, toDouble(a), toDouble(b))
}

function wholeNumber(typed: Typed): bigint | undefined {
  if (typed.type === 'double') return undefined
  if (typed.type === 'integer') return typed.value as bigint | undefined
  const text = toText(typed)
  return text !== undefined && integerForm.test(text) ? BigInt(text) : undefined
}

function seconds(typed: Typed): number | undefined {
  if (typed.type === 'time') return typed.value as number | undefined
  const isNumber = typed.type === 'integer' || typed.type === 'double'
  if (typed.isLiteral && isNumber && Math.abs(Number(typed.value)) < 253_402_300_800) return Number(typed.value)
  throw new Refused('no time')
}

function ordered<T extends string | number | bigint | boolean>(
  name: string,
  a: T | undefined,
  b: T | undefined,
): Truth {
  if (a === undefined || b === undefined) return undefined
  switch (name) {
    case '$eq':
      return a === b
    case '$gt':
      return a > b
    case '$gte':
      return a >= b
    case '$lt':
      return a < b
    default:
      return a <= b
  }
}

interface Search {
  input: Operation
  substr: Operation
  case_insensitive: boolean
}
