/**
 * Calls of the project acme/one that have ended, as `/v2/acme/one/calls/complete` takes them.
 *
 * @param characters of the text in the inputs
 */
export const endedCalls = (ids: readonly string[], characters: number) =>
  ids.map((id) => ({
    project_id: 'acme/one',
    id,
    trace_id: `trace-${id}`,
    op_name: 'answer',
    started_at: '2024-05-01T10:00:00Z',
    ended_at: '2024-05-01T10:00:01Z',
    attributes: {},
    inputs: { text: id.repeat(characters) },
    output: null,
    summary: {},
  }))
