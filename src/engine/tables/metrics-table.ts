import { integer, json, number, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const metricsTable = defineTable({
  name: 'metrics',
  description: 'Data points of OpenTelemetry metrics. A point that is sent again keeps its row.',
  columns: {
    id: text('digest of the point: of its series, times and values'),
    time: time('end of the interval of the point; when it was received, if that was not sent', { bounds: true }),
    started_at: time('start of the interval: for cumulative values, when their series started', { nullable: true }),
    name: text('name of the metric', { bounds: true, bloom: true }),
    kind: text('`gauge`, `sum`, `histogram`, `exponential_histogram` or `summary`'),
    unit: text('unit of the values; empty if none was sent'),
    description: text('what the metric measures; empty if that was not sent'),
    temporality: text('`delta`, if values cover the interval since the previous point, or `cumulative`', {
      nullable: true,
    }),
    is_monotonic: integer('of a sum: 1 if it only grows, else 0', { nullable: true }),
    series: text('digest of all that the points of one series share: resource, library, metric and attributes'),
    value: number('value of a gauge or sum; null if it was not measured or is not a finite number', {
      nullable: true,
    }),
    count: integer('number of values, of the other kinds', { nullable: true }),
    sum: number('sum of these values', { nullable: true }),
    min: number('smallest of these values, if it was sent', { nullable: true }),
    max: number('largest of these values, if it was sent', { nullable: true }),
    distribution: json('JSON object: buckets of a histogram, or quantiles of a summary', { nullable: true }),
    exemplars: json('JSON array: single measurements, with the spans in which they were made', { nullable: true }),
    service_name: text('`service.name` of the resource', { nullable: true }),
    attributes: json('JSON object: attributes of the point, nested at the dots of their names'),
    resource: json('JSON object: attributes of the resource, nested likewise'),
    scope: json('JSON object: name, version and attributes of the library'),
    ext_user_id: text('id of the API key that sent the point'),
    written_at: time('when the server last accepted the point', { exposed: 'server' }),
  },
  id: 'id',
  order: ['name', 'time', 'id'],
  presence: 'name',
  updatedAt: 'written_at',
})
