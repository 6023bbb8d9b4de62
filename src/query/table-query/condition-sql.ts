import { DomainError } from '../../errors.ts'
import { parseTime } from '../../model/time.ts'
import { jsonPointer } from '../field-path.ts'
import type { Parameters } from '../sql/parameters.ts'
import type { TableField } from './fields.ts'
import type { Comparison, ConvertTo, QueryNode } from './query-tree.ts'

/** What an expression yields in SQL. `json` is JSON as text; its own text is what comparisons use. */
type ValueType = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'texts' | 'null'

interface Value {
  readonly sql: string
  readonly type: ValueType
  /** The node that it was made of. */
  readonly node: QueryNode
}

const signs: Readonly<Record<Comparison, string>> = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }
const numberText = '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'

/**
 * SQL of a condition on a row of `alias`. Every value is a bound parameter. Three-valued: what cannot be compared is unknown, and
 * unknown rows do not count.
 *
 * @throws DomainError InvalidRequest where a time is compared with something that is no time
 */
export function tableConditionSql(node: QueryNode, alias: string, parameters: Parameters): string {
  return new ConditionEmitter(alias, parameters).condition(node)
}

/** SQL of the value of a field as it is stored; of a JSON path the JSON text there, null where it is missing or JSON null. */
export function tableFieldSql(field: TableField, alias: string, parameters: Parameters): string {
  const column = `${alias}."${field.column}"`
  if (field.type !== 'json') return column
  const value =
    field.path.length === 0 ? `${column}::JSON` : `json_extract(${column}, ${parameters.bind(jsonPointer(field.path))})`
  return `nullif(${value}, 'null'::JSON)`
}

class ConditionEmitter {
  private readonly alias: string
  private readonly parameters: Parameters

  constructor(alias: string, parameters: Parameters) {
    this.alias = alias
    this.parameters = parameters
  }

  condition(node: QueryNode): string {
    return as('boolean', this.value(node), this.parameters)
  }

  /** The SQL is made when it is asked for: what is not used must not leave a parameter behind. */
  private value(node: QueryNode): Value {
    const sqlOf = () => this.sqlOf(node)
    return {
      node,
      type: typeOf(node),
      get sql() {
        return sqlOf()
      },
    }
  }

  private sqlOf(node: QueryNode): string {
    switch (node.kind) {
      case 'literal':
        return node.value === null ? 'NULL' : this.parameters.bind(node.value)
      case 'field':
        return tableFieldSql(node.field, this.alias, this.parameters)
      case 'convert':
        return this.converted(this.value(node.input), node.to)
      case 'size':
        return sizeSql(this.value(node.input))
      default:
        return this.operation(node)
    }
  }

  private operation(node: Exclude<QueryNode, { kind: 'literal' | 'field' | 'convert' | 'size' }>): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return `(${node.items.map((item) => this.condition(item)).join(node.kind === 'and' ? ' AND ' : ' OR ')})`
      case 'not':
        return `(NOT ${this.condition(node.item)})`
      case 'compare':
        return this.compare(node.operator, node.left, node.right)
      case 'in':
        if (node.list.length === 0) return 'false'
        return `(${node.list.map((item) => this.compare('$eq', node.item, item)).join(' OR ')})`
      case 'contains':
        return this.contains(node)
    }
  }

  private compare(operator: Comparison, leftNode: QueryNode, rightNode: QueryNode): string {
    const spelled = operator === '$eq' ? this.spelled(leftNode, rightNode) : undefined
    if (spelled !== undefined) return spelled
    const [left, right] = [this.value(leftNode), this.value(rightNode)]
    if (left.type === 'null' || right.type === 'null') {
      if (operator !== '$eq') return 'NULL::BOOLEAN'
      return left.type === 'null' ? `(${right.sql} IS NULL)` : `(${left.sql} IS NULL)`
    }
    const type = commonType(left.type, right.type)
    return `(${as(type, left, this.parameters)} ${signs[operator]} ${as(type, right, this.parameters)})`
  }

  /** Equality of a field and a text that may be stored in several spellings. */
  private spelled(left: QueryNode, right: QueryNode): string | undefined {
    const [field, literal] =
      left.kind === 'field' ? [left.field, right] : right.kind === 'field' ? [right.field, left] : []
    if (field?.spellings === undefined || literal?.kind !== 'literal' || typeof literal.value !== 'string')
      return undefined
    const column = tableFieldSql(field, this.alias, this.parameters)
    return `(${column} IN (${field
      .spellings(literal.value)
      .map((text) => this.parameters.bind(text))
      .join(', ')}))`
  }

  private contains({ input, substring, ignoresCase }: Extract<QueryNode, { kind: 'contains' }>): string {
    const whole = this.value(input)
    if (whole.type === 'number' || whole.type === 'time' || whole.type === 'boolean') return 'false'
    const part = as('text', this.value(substring), this.parameters)
    const lower = (sql: string) => (ignoresCase ? `lower(${sql})` : sql)
    if (whole.type === 'texts') {
      return ignoresCase
        ? `list_contains(list_transform(${whole.sql}, x -> lower(x)), ${lower(part)})`
        : `list_contains(${whole.sql}, ${part})`
    }
    return `contains(${lower(as('text', whole, this.parameters))}, ${lower(part)})`
  }

  private converted(input: Value, to: ConvertTo): string {
    switch (to) {
      case 'double':
        return as('number', input, this.parameters)
      case 'int': {
        const number = as('number', input, this.parameters)
        return `CASE WHEN ${number} = trunc(${number}) THEN ${number} END`
      }
      case 'string':
        return as('text', input, this.parameters)
      case 'bool':
        return as('boolean', input, this.parameters)
      case 'exists':
        return `(${input.sql} IS NOT NULL)`
    }
  }
}

function typeOf(node: QueryNode): ValueType {
  switch (node.kind) {
    case 'literal':
      return node.value === null ? 'null' : literalTypes[typeof node.value as keyof typeof literalTypes]
    case 'field':
      return fieldTypes[node.field.type]
    case 'convert':
      return convertedTypes[node.to]
    case 'size':
      return 'number'
    default:
      return 'boolean'
  }
}

const literalTypes = { string: 'text', number: 'number', boolean: 'boolean' } as const

const convertedTypes: Readonly<Record<ConvertTo, ValueType>> = {
  double: 'number',
  int: 'number',
  string: 'text',
  bool: 'boolean',
  exists: 'boolean',
}

const fieldTypes: Readonly<Record<TableField['type'], ValueType>> = {
  text: 'text',
  json: 'json',
  time: 'time',
  integer: 'number',
  number: 'number',
  texts: 'texts',
}

/** The type in which two values are compared: the more special of the two. */
function commonType(left: ValueType, right: ValueType): 'time' | 'number' | 'boolean' | 'text' {
  for (const type of ['time', 'number', 'boolean'] as const) if (left === type || right === type) return type
  return 'text'
}

function as(type: 'time' | 'number' | 'boolean' | 'text', value: Value, parameters: Parameters): string {
  if (value.type === type) return value.sql
  if (type === 'time') return timeSql(value, parameters)
  if (value.type === 'null') return 'NULL'
  if (type === 'text') return textSql(value)
  if (type === 'number') {
    if (value.type === 'boolean' || value.type === 'time' || value.type === 'texts') return 'NULL::DOUBLE'
    const text = textSql(value)
    return `CASE WHEN regexp_full_match(${text}, '${numberText}') THEN TRY_CAST(${text} AS DOUBLE) END`
  }
  if (value.type === 'number') return `(${value.sql} <> 0)`
  return `CASE ${textSql(value)} WHEN 'true' THEN true WHEN '1' THEN true WHEN 'false' THEN false WHEN '0' THEN false END`
}

function textSql({ sql, type }: Value): string {
  if (type === 'json') return `(${sql} ->> '$')`
  if (type === 'texts') return `to_json(${sql})::VARCHAR`
  return type === 'text' ? sql : `(${sql})::VARCHAR`
}

/** A number is unix seconds, a text ISO 8601 (without an offset: UTC). */
function timeSql(value: Value, parameters: Parameters): string {
  const { node, type } = value
  if (node.kind === 'literal') {
    const micros = typeof node.value === 'string' || typeof node.value === 'number' ? parseTime(node.value) : undefined
    if (micros === undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Read the query: ${JSON.stringify(node.value)} is no time to compare with`,
      )
    }
    return parameters.bind({ micros })
  }
  if (type === 'number') return `to_timestamp(${value.sql})`
  return `TRY_CAST(${textSql(value)} AS TIMESTAMPTZ)`
}

function sizeSql(value: Value): string {
  const { type } = value
  if (type !== 'texts' && type !== 'text' && type !== 'json') return 'NULL::DOUBLE'
  const { sql } = value
  if (type === 'texts') return `len(${sql})::DOUBLE`
  if (type === 'text') return `length(${sql})::DOUBLE`
  return `(CASE json_type(${sql}) WHEN 'ARRAY' THEN json_array_length(${sql})::BIGINT
    WHEN 'OBJECT' THEN len(json_keys(${sql})) WHEN 'VARCHAR' THEN length(${sql} ->> '$') END)::DOUBLE`
}
