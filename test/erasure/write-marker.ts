import type { ErasureApp } from './erasure-app.ts'

interface Where {
  readonly project_id: string
  readonly marker: string
  /** Names of spans become objects, which do not expire. */
  readonly spanName?: string
}

const nanos = (iso: string): string => String(BigInt(Date.parse(iso)) * 1_000_000n)
const content = (marker: string): string =>
  `data:text/plain;base64,${Buffer.from(`${marker} ${'x'.repeat(3_000)}`).toString('base64')}`

/** A call with the marker in each text that a user can set. */
export async function writeCall(app: ErasureApp, { project_id, marker }: Where, startedAt: string): Promise<string> {
  const id = `call-${marker}`
  const start = {
    project_id,
    id,
    trace_id: `trace-${marker}`,
    thread_id: `thread ${marker}`,
    op_name: `op-${marker}`,
    display_name: `name ${marker}`,
    started_at: startedAt,
    attributes: { [marker]: marker },
    inputs: { text: marker, deep: [{ [marker]: marker }], utf16: `${marker}é` },
  }
  await app.post('/call/start', { start })
  const end = { project_id, id, ended_at: startedAt, output: { marker }, exception: marker }
  await app.post('/call/end', { end: { ...end, summary: { usage: { [marker]: { requests: 1 } }, note: marker } } })
  return id
}

/** What belongs to calls: contents, feedback, queue items, log records and metrics. */
export async function writeTelemetry(
  app: ErasureApp,
  { project_id, marker, spanName = marker }: Where,
  at: string,
): Promise<void> {
  const id = await writeCall(app, { project_id, marker }, at)
  const inputs = { picture: content(marker) }
  await app.post('/call/start', {
    start: { project_id, id: `content-${marker}`, trace_id: 't', op_name: 'x', started_at: at, attributes: {}, inputs },
  })
  const ext_ref = `ext:///${project_id}/call/${id}`
  await app.post('/feedback/create', {
    project_id,
    ext_ref,
    creator: marker,
    feedback_type: 'custom',
    payload: { marker },
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: marker } }] }
  const text = { key: marker, value: { stringValue: marker } }
  const time = nanos(at)
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: `span ${spanName}`,
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: [text],
    events: [{ name: `event ${marker}`, timeUnixNano: time, attributes: [text] }],
    links: [{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', attributes: [text] }],
  }
  const header = { project_id }
  const scope = { name: marker, version: '1' }
  await app.post('/otel/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] }, header)
  const record = { timeUnixNano: time, body: { stringValue: marker }, attributes: [text], eventName: marker }
  await app.post(
    '/otel/v1/logs',
    { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] },
    header,
  )
  const point = { timeUnixNano: time, asDouble: 1, attributes: [text] }
  const metric = { name: marker, unit: marker, description: marker, gauge: { dataPoints: [point] } }
  await app.post(
    '/otel/v1/metrics',
    { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: [metric] }] }] },
    header,
  )
}

/** Everything else that a project can contain. */
export async function writeRecords(app: ErasureApp, { project_id, marker }: Where): Promise<void> {
  const key = { 'idempotency-key': `key-${project_id.replace('/', '-')}` }
  const obj = { project_id, object_id: `object-${marker}`, val: { marker, [marker]: 1 } }
  const { digest } = await app.post<{ digest: string }>('/obj/create', { obj }, key)
  await app.post('/table/create', { table: { project_id, rows: [{ marker }, { [marker]: 2 }] } })
  const form = new FormData()
  form.set('project_id', project_id)
  form.set('file', new Blob([`file with ${marker}`]), `${marker}.txt`)
  await app.post('/file/create', form)
  const costs = { [marker]: { prompt_token_cost: 1, completion_token_cost: 1 } }
  await app.post('/cost/create', { project_id, costs })
  const queue = { project_id, name: marker, description: marker, scorer_refs: [] }
  const { id } = await app.post<{ id: string }>('/annotation_queues', queue)
  await app.post(`/annotation_queues/${id}/items`, {
    project_id,
    call_ids: [`call-${marker}`],
    display_fields: [marker],
  })
  const filter = { op_names: [`op-${marker}`] }
  await app.post('/rules', { project_id, name: marker, filter, action: { kind: 'add_to_queue', queue_id: id } })
  await app.post('/retention/set', { project_id, retention_days: 300 })
  await app.post('/obj/create', {
    obj: { ...obj, val: { digest, ref: `ext:///${project_id}/object/x:${digest}`, marker } },
  })
}
