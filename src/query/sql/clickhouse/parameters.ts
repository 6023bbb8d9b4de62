/** Types of columns and values in the statements that ClickHouse runs. */
export type ClickHouseType = 'String' | 'Int64' | 'Array(String)'

/** A value that is sent to ClickHouse apart from the statement, as `param_NAME`. */
export interface ClickHouseParameter {
  readonly name: string
  readonly text: string
}

/** Collects the values of a statement, which refers to them as `{name:Type}`. */
export class ClickHouseParameters {
  readonly values: ClickHouseParameter[] = []

  text(text: string): string {
    return this.add('String', escaped(text))
  }

  integer(value: bigint | number): string {
    return this.add('Int64', String(value))
  }

  texts(texts: readonly string[]): string {
    const items = texts.map((text) => `'${escaped(text).replaceAll("'", "\\'")}'`)
    return this.add('Array(String)', `[${items.join(',')}]`)
  }

  private add(type: ClickHouseType, text: string): string {
    const name = `p${this.values.length + 1}`
    this.values.push({ name, text })
    return `{${name}:${type}}`
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

/** Texts are sent as fields of tab-separated text, and within lists as literals. */
const escaped = (text: string): string => text.replaceAll(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? '')
