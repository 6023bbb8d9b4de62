import { jsonPointer } from '../../field-path.ts'
import type { TableField } from '../../table-fields.ts'
import type { Comparison, ConvertTo, QueryNode } from '../../table-query/query-tree.ts'
import { feedbackTypeSql } from '../feedback-entries.ts'
import type { Parameters } from '../parameters.ts'
import {
  commonType,
  integerComparisonSql,
  integerSql,
  jsonComparisonSql,
  sizeSql,
  sqlAs,
  typeOf,
  type Value,
} from './value.ts'

const signs: Readonly<Record<Comparison, string>> = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

/**
 * SQL of a condition on a row of `alias`. Every value is a bound parameter. Three-valued: what cannot be compared is unknown, and
 * unknown rows do not count.
 *
 * @throws DomainError InvalidRequest where a time is compared with something that is no time
 */
export function tableConditionSql(node: QueryNode, alias: string, parameters: Parameters): string {
  return new ConditionEmitter(alias, parameters).condition(node)
}

/**
 * SQL of the value of a field as it is answered; of a JSON path the JSON text there, null where it is missing or JSON null.
 */
export function tableFieldSql(field: TableField, alias: string, parameters: Parameters): string {
  const column = storedSql(field, alias)
  if (field.feedbackPrefix !== undefined) return feedbackTypeSql(column, field.feedbackPrefix)
  if (field.type !== 'json') return column
  const value =
    field.path.length === 0 ? `${column}::JSON` : `json_extract(${column}, ${parameters.bind(jsonPointer(field.path))})`
  return `nullif(${value}, 'null'::JSON)`
}

/** SQL of a column as it is stored. */
const storedSql = ({ column }: TableField, alias: string): string => `${alias}."${column}"`

class ConditionEmitter {
  private readonly alias: string
  private readonly parameters: Parameters

  constructor(alias: string, parameters: Parameters) {
    this.alias = alias
    this.parameters = parameters
  }

  condition(node: QueryNode): string {
    return sqlAs('boolean', this.value(node), this.parameters)
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
        return node.value === null
          ? 'NULL'
          : this.parameters.bind(typeof node.value === 'bigint' ? Number(node.value) : node.value)
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
        return this.isOneOf(node.item, node.list)
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
    const ofJson =
      integerComparisonSql(signs[operator], left, right, this.parameters) ??
      jsonComparisonSql(signs[operator], left, right, this.parameters)
    if (ofJson !== undefined) return ofJson
    const type = commonType(left.type, right.type)
    return `(${sqlAs(type, left, this.parameters)} ${signs[operator]} ${sqlAs(type, right, this.parameters)})`
  }

  /** Texts that a text is compared with stand in one list: one look for all of them. */
  private isOneOf(item: QueryNode, list: readonly QueryNode[]): string {
    if (list.length === 0) return 'false'
    const type = typeOf(item)
    const isListed = (other: QueryNode) =>
      (type === 'text' || type === 'json') && other.kind === 'literal' && typeof other.value === 'string'
    const spellings = (item.kind === 'field' && item.field.spellings) || ((text: string) => [text])
    const texts = list.filter(isListed).flatMap((node) => spellings((node as { value: string }).value))
    const terms = list.filter((other) => !isListed(other)).map((other) => this.compare('$eq', item, other))
    if (texts.length > 0) {
      const values = texts.map((text) => this.parameters.bind(text)).join(', ')
      const text =
        item.kind === 'field' && item.field.spellings !== undefined
          ? storedSql(item.field, this.alias)
          : sqlAs('text', this.value(item), this.parameters)
      terms.push(`(${text} IN (${values}))`)
    }
    return `(${terms.join(' OR ')})`
  }

  /** Equality of a field and a text that may be stored in several spellings. */
  private spelled(left: QueryNode, right: QueryNode): string | undefined {
    const [field, literal] =
      left.kind === 'field' ? [left.field, right] : right.kind === 'field' ? [right.field, left] : []
    if (field?.spellings === undefined || literal?.kind !== 'literal' || typeof literal.value !== 'string')
      return undefined
    return `(${storedSql(field, this.alias)} IN (${field
      .spellings(literal.value)
      .map((text) => this.parameters.bind(text))
      .join(', ')}))`
  }

  private contains(node: Extract<QueryNode, { kind: 'contains' }>): string {
    const { input, substring } = node
    const spellings = input.kind === 'field' ? input.field.partSpellings : undefined
    if (spellings === undefined || substring.kind !== 'literal' || typeof substring.value !== 'string') {
      return this.containsOne(node)
    }
    const parts = spellings(substring.value).map((value): QueryNode => ({ kind: 'literal', value }))
    return `(${parts.map((part) => this.containsOne({ ...node, substring: part })).join(' OR ')})`
  }

  private containsOne({
    input,
    substring,
    ignoresCase,
    isWholeToken,
  }: Extract<QueryNode, { kind: 'contains' }>): string {
    const whole = this.value(input)
    if (whole.type === 'number' || whole.type === 'time' || whole.type === 'boolean') return 'false'
    const part = sqlAs('text', this.value(substring), this.parameters)
    const lower = (sql: string) => (ignoresCase ? `lower(${sql})` : sql)
    if (whole.type === 'texts') {
      return ignoresCase
        ? `list_contains(list_transform(${whole.sql}, x -> lower(x)), ${lower(part)})`
        : `list_contains(${whole.sql}, ${part})`
    }
    const text = lower(sqlAs('text', whole, this.parameters))
    if (!isWholeToken) return `contains(${text}, ${lower(part)})`
    return `list_contains(string_split_regex(${text}, '[^\\p{L}\\p{N}]+'), nullif(${lower(part)}, ''))`
  }

  private converted(input: Value, to: ConvertTo): string {
    switch (to) {
      case 'double':
        return sqlAs('number', input, this.parameters)
      case 'int':
        return integerSql(input, this.parameters)
      case 'string':
        return sqlAs('text', input, this.parameters)
      case 'bool':
        return sqlAs('boolean', input, this.parameters)
      case 'exists':
        return `(${input.sql} IS NOT NULL)`
    }
  }
}
