import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBListValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import type { SqlValue } from '../../lib/sql.ts'

export interface Bindings {
  readonly values: DuckDBValue[]
  readonly types: DuckDBType[]
}

/** Values and types in the order of `$1`, `$2`, … */
export function toBindings(values: readonly SqlValue[]): Bindings {
  const bound = values.map(bindOne)
  return { values: bound.map(([value]) => value), types: bound.map(([, type]) => type) }
}

function bindOne(value: SqlValue): [DuckDBValue, DuckDBType] {
  switch (typeof value) {
    case 'string':
      return [value, VARCHAR]
    case 'number':
      return [value, DOUBLE]
    case 'bigint':
      return [value, BIGINT]
    case 'boolean':
      return [value, BOOLEAN]
    default:
      if (value === null) return [null, VARCHAR]
      if ('micros' in value) return [new DuckDBTimestampTZValue(clampTimestamp(value.micros)), TIMESTAMPTZ]
      return [new DuckDBListValue('files' in value ? value.files : value.texts), LIST(VARCHAR)]
  }
}

/**
 * DuckDB's timestamps end in the year 294247. No row is later, so clamping does not change
 * comparisons.
 */
const timestampMicrosMax = 9_223_372_022_400_000_000n

function clampTimestamp(micros: number): bigint {
  const exact = BigInt(micros)
  if (exact > timestampMicrosMax) return timestampMicrosMax
  return exact < -timestampMicrosMax ? -timestampMicrosMax : exact
}
