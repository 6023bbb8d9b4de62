import type { TimedRate } from '../../../../query/calls-plan.ts'
import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type View } from '../view.ts'

/** Prices of the models that a project uses. */
export interface ProjectRate extends TimedRate {
  readonly projectId: string
}

const number = (value: number): string => value.toExponential()

/** The prices as they are when the statements are written. */
export const pricesView = (rates: readonly ProjectRate[]): View =>
  defineView({
    name: 'prices',
    description:
      'Prices in US dollars per token of the models in use when these statements were printed: those of the project, ' +
      'else those that ship with tracelake. Print the statements again after changing prices or using new models.',
    columns: {
      project_id: 'project',
      model: 'model, as the usage names it',
      from_micros: 'calls that start then (microseconds since 1970) or later',
      until_micros: 'and before then',
      above: 'for requests with more input tokens',
      through: 'and at most as many',
      prompt: 'price of an input token',
      completion: 'price of an output token',
      cacheRead: 'price of a token read from a cache',
      cacheCreation: 'price of a token written to a cache',
      cacheCreationLong: 'the same, cached for an hour',
      has_price: '1',
    },
    rows: (engine) => {
      const rows = rates.length === 0 ? [noRate] : rates
      return rows.map((rate) => ({ values: valuesOf(engine, rate), from: fromOf(rates.length) }))
    },
  })

const noRate: ProjectRate = {
  projectId: '',
  model: '',
  from: 0,
  until: 0,
  above: 0,
  through: 0,
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheCreation: 0,
  cacheCreationLong: 0,
}

/** SQL that all engines read needs something to select from. */
const fromOf = (count: number): string => `(SELECT 1 AS one) o${count === 0 ? ' WHERE o.one = 0' : ''}`

const valuesOf = (engine: SqlEngine, rate: ProjectRate) => ({
  project_id: engine.literal(rate.projectId),
  model: engine.literal(rate.model),
  from_micros: `CAST(${rate.from} AS BIGINT)`,
  until_micros: `CAST(${rate.until} AS BIGINT)`,
  above: number(rate.above),
  through: number(rate.through),
  prompt: number(rate.prompt),
  completion: number(rate.completion),
  cacheRead: number(rate.cacheRead),
  cacheCreation: number(rate.cacheCreation),
  cacheCreationLong: number(rate.cacheCreationLong),
  has_price: '1',
})
