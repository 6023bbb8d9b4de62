/** How one parameter of the address reads and writes its value. */
export interface Param<Value> {
  /** Value of a parameter that is absent or cannot be read. */
  readonly initial: Value
  /** Undefined if the text is not a value. */
  read(text: string): Value | undefined
  write(value: Value): string
}

/** Parameters of a view by name. */
export type Schema = Readonly<Record<string, Param<unknown>>>

/** Values of the parameters of a schema. */
export type Values<S> = { readonly [Name in keyof S]: S[Name] extends Param<infer Value> ? Value : never }

/** Values that a search text gives the parameters of `schema`. */
export function readSearch<S extends Schema>(schema: S, search: string): Values<S> {
  const given = new URLSearchParams(search)
  const entries = Object.entries(schema).map(([name, param]) => {
    const text = given.get(name)
    return [name, text === null ? param.initial : (param.read(text) ?? param.initial)]
  })
  return Object.fromEntries(entries) as Values<S>
}

/**
 * The search text `search` with some parameters changed. Parameters at their initial value are left
 * out, those of other schemas stay.
 */
export function writeSearch<S extends Schema>(schema: S, search: string, changes: Partial<Values<S>>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    const param = schema[name]
    if (!param) continue
    const text = param.write(value)
    if (value === undefined || text === param.write(param.initial)) next.delete(name)
    else next.set(name, text)
  }
  return textOf(next)
}

/** Readable: only what would end or change a parameter is escaped. */
function textOf(params: URLSearchParams): string {
  const parts = [...params].map(([name, value]) => `${name}=${escaped(value)}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const escaped = (value: string): string =>
  value.replace(/[%&#+]|[^\x20-\x7e]+/g, (part) => encodeURIComponent(part)).replaceAll(' ', '+')

/** A text parameter. */
export const text = (initial = ''): Param<string> => ({ initial, read: (value) => value, write: (value) => value })

/** A number parameter. */
export const number = (initial: number): Param<number> => ({
  initial,
  read: (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined),
  write: String,
})

/** A parameter that is there or not: `&wide=1`. */
export const flag = (): Param<boolean> => ({
  initial: false,
  read: (value) => value !== '0',
  write: (value) => (value ? '1' : '0'),
})

/** One of a few words; the first one is the initial value. */
export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]): Param<Word> => ({
  initial: words[0],
  read: (value) => words.find((word) => word === value),
  write: (word) => word,
})

/** A list of texts, separated by commas; a comma inside a text has a backslash before it. */
export const list = (initial: readonly string[] = []): Param<readonly string[]> => ({
  initial,
  read: (value) => (value === '' ? [] : value.split(/(?<!\\),/).map((item) => item.replaceAll('\\,', ','))),
  write: (items) => items.map((item) => item.replaceAll(',', '\\,')).join(','),
})
