import { integer, json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const logsTable = defineTable({
  name: 'logs',
  description: 'OpenTelemetry log records (events), as they were sent. A record that is sent again keeps its row.',
  columns: {
    id: text('digest of the record; records of one request that are equal are numbered'),
    time: time('when the event happened; if that was not sent, when it was observed or received', { bounds: true }),
    observed_at: time('when the event was observed; null if that was not sent', { nullable: true }),
    trace_id: text('trace that the record was sent with', { nullable: true, bloom: true }),
    span_id: text('span that the record was sent with', { nullable: true, bloom: true }),
    thread_id: text('conversation (session) that the attributes or the resource name', { nullable: true, bloom: true }),
    turn_id: text('turn of a coding agent that the record belongs to: a call', { nullable: true, bloom: true }),
    call_id: text('call that was made of the record, else the call of its span', { nullable: true, bloom: true }),
    event_name: text('name of the event: its attribute `event.name`, else its event name', {
      nullable: true,
      bounds: true,
    }),
    severity_number: integer('severity from 1 to 24; null if unspecified', { nullable: true }),
    severity_text: text('severity as the source names it', { nullable: true }),
    service_name: text('`service.name` of the resource', { nullable: true }),
    body: json('JSON value: the body', { nullable: true }),
    attributes: json('JSON object: attributes, nested at the dots of their names'),
    resource: json('JSON object: attributes of the resource, nested likewise'),
    scope: json('JSON object: name, version and attributes of the library'),
    ext_user_id: text('id of the API key that sent the record'),
    written_at: time('when the server last accepted the record', { exposed: 'server' }),
  },
  id: 'id',
  order: ['time', 'id'],
  presence: 'attributes',
  updatedAt: 'written_at',
})
