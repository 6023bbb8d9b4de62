/** JSON that was read, with the place of each value. */
export interface ReadJson {
  readonly value: unknown
  /** Offset of the value at a path of member names and indexes. */
  readonly offsetAt: (path: readonly (string | number)[]) => number
}

/** A fault of a text, and its position. */
export interface JsonFault {
  readonly offset: number
  readonly reason: string
}

class Unreadable extends Error {
  readonly offset: number

  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

/** Parses JSON text; reports a fault and its position. */
export function readJson(text: string): ReadJson | { readonly fault: JsonFault } {
  try {
    return new Reader(text).read()
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    return { fault: { offset: cause.offset, reason: cause.message } }
  }
}

const depthMax = 200
const keyOf = (path: readonly (string | number)[]): string => JSON.stringify(path)

class Reader {
  private at = 0
  private readonly text: string
  private readonly offsets = new Map<string, number>()

  constructor(text: string) {
    this.text = text
  }

  read(): ReadJson {
    const value = this.value([])
    this.skip()
    if (this.at < this.text.length) this.fail(`${this.found()} follows the value`)
    return { value, offsetAt: (path) => this.offsets.get(keyOf(path)) ?? 0 }
  }

  private value(path: readonly (string | number)[]): unknown {
    this.skip()
    if (path.length > depthMax) this.fail(`more than ${depthMax} levels`)
    this.offsets.set(keyOf(path), this.at)
    const char = this.text[this.at]
    if (char === '{') return this.object(path)
    if (char === '[') return this.array(path)
    if (char === '"') return this.string()
    const [literal] = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/.exec(
      this.text.slice(this.at, this.at + 400),
    ) ?? [undefined]
    if (literal === undefined) return this.fail(`a value is missing before ${this.found()}`)
    this.at += literal.length
    return JSON.parse(literal)
  }

  private object(path: readonly (string | number)[]): unknown {
    const members: [string, unknown][] = []
    this.at++
    this.skip()
    if (this.take('}')) return {}
    for (;;) {
      this.skip()
      if (this.text[this.at] !== '"') this.fail(`a member name in double quotes is missing before ${this.found()}`)
      const start = this.at
      const name = this.string()
      if (members.some(([other]) => other === name)) {
        this.at = start
        this.fail(`the member “${name}” occurs twice`)
      }
      this.skip()
      if (!this.take(':')) this.fail(`“:” is missing before ${this.found()}`)
      members.push([name, this.value([...path, name])])
      this.skip()
      if (this.take('}')) return Object.fromEntries(members)
      if (!this.take(',')) this.fail(`“,” or “}” is missing before ${this.found()}`)
    }
  }

  private array(path: readonly (string | number)[]): unknown {
    const items: unknown[] = []
    this.at++
    this.skip()
    if (this.take(']')) return items
    for (;;) {
      items.push(this.value([...path, items.length]))
      this.skip()
      if (this.take(']')) return items
      if (!this.take(',')) this.fail(`“,” or “]” is missing before ${this.found()}`)
    }
  }

  private string(): string {
    const start = this.at
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.at >= this.text.length || this.text[this.at] === '\n') {
        this.at = start
        return this.fail('the text is not closed by “"”')
      }
      if (this.text[this.at] === '\\') this.at++
    }
    this.at++
    try {
      return String(JSON.parse(this.text.slice(start, this.at)))
    } catch {
      this.at = start
      return this.fail('the string has a character or an escape that is not valid JSON')
    }
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  private found(): string {
    const char = this.text[this.at]
    return char === undefined ? 'the end' : `“${char}”`
  }

  private fail(reason: string): never {
    throw new Unreadable(this.at, reason)
  }
}
