import { expect, test } from 'bun:test'
import { Metadata } from '@grpc/grpc-js'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { freshProject, ownServer } from '../../conformance/support/target.ts'

const server = await ownServer()

/** Of the exporter, which does not export its enumeration. */
const [deltas, totals] = [0, 1]

test.each([deltas, totals])(
  'metrics of the exporter over gRPC add up (temporality %p)',
  async (temporalityPreference) => {
    const project = freshProject(server.client)
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${server.adminKey}`)
    metadata.set('project_id', project.id)
    const url = `http://${server.grpcAddress}`
    const exporter = new OTLPMetricExporter({ url, metadata, timeoutMillis: 60_000, temporalityPreference })
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    const provider = new MeterProvider({
      readers: [reader],
      views: [{ instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
    })
    const meter = provider.getMeter('a-library')
    const cost = meter.createCounter('cost', { unit: 'USD' })
    const open = meter.createUpDownCounter('open')
    const latency = meter.createHistogram('latency', { unit: 'ms' })
    const sizes = meter.createHistogram('sizes')
    const temperature = meter.createGauge('temperature')
    for (let round = 0; round < 3; round++) {
      cost.add(0.5, { model: 'a' })
      cost.add(2, { model: 'b' })
      open.add(1)
      latency.record(10 * (round + 1))
      sizes.record(1000 * (round + 1))
      temperature.record(20 + round)
      // A total of which start and end are the same says that its start is unknown.
      await Bun.sleep(20)
      await reader.forceFlush()
    }
    await provider.shutdown()
    const { json } = await server.client.post('/metrics/stats', {
      project_id: project.id,
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 60_000).toISOString(),
      group_by: ['attributes.model'],
    })
    const found = (json as { totals: { metric: string; group: Record<string, unknown> }[] }).totals
    const of = (name: string, model: string | null = null) =>
      found.find(({ metric, group }) => metric === name && group['attributes.model'] === model)
    expect(of('cost', 'a')).toMatchObject({ kind: 'sum', unit: 'USD', sum: 1.5 })
    expect(of('cost', 'b')).toMatchObject({ sum: 6 })
    expect(of('latency')).toMatchObject({ kind: 'histogram', count: 3, sum: 60, avg: 20 })
    expect(of('sizes')).toMatchObject({ kind: 'exponential_histogram', count: 3, sum: 6000 })
    expect(of('temperature')).toMatchObject({ kind: 'gauge', last: 22 })
    expect(of('open')).toMatchObject({ kind: 'sum', last: 3 })
  },
)
