import type { CallDraft } from '../../conformance/support/call-shapes.ts'

/** Ids of the conversation that `damagedParcel` tells. */
export const parcel = {
  traceId: 'damaged-parcel',
  threadId: 'thread-damaged-parcel',
  agentId: 'damaged-parcel-agent',
  chatId: 'damaged-parcel-chat',
  toolId: 'damaged-parcel-tool',
} as const

/** A red square of 8 × 8 pixels. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR42mP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'

/** Half a second of silence, as WAV. */
const silence = `data:audio/wav;base64,${btoa(
  `RIFF${'\xc4\x0f\0\0'}WAVEfmt ${'\x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0'}data${'\xa0\x0f\0\0'}${'\x80'.repeat(4000)}`,
)}`

/** A conversation with a picture, a recording, reasoning, Markdown, big numbers and a tool. */
export function damagedParcel(untilMs: number): (CallDraft & { id: string })[] {
  const at = (seconds: number): string => new Date(untilMs - 600_000 + seconds * 1000).toISOString()
  const shared = { trace_id: parcel.traceId, thread_id: parcel.threadId, attributes: { environment: 'production' } }
  const question = 'My parcel arrived like this. What can I do?'
  const answer = [
    '## Sorry about that',
    '',
    'You have **two** options:',
    '',
    '1. Send it back free of charge.',
    '2. Keep it and take `10 %` off.',
    '',
    '| option | days |',
    '|---|---|',
    '| return | 3 |',
    '| discount | 0 |',
  ].join('\n')
  return [
    {
      ...shared,
      id: parcel.agentId,
      turn_id: parcel.agentId,
      op_name: 'support_bot.parcel',
      display_name: 'Damaged parcel',
      started_at: at(0),
      ended_at: at(9),
      inputs: { question, order: { number: '9007199254740993', total: 12.5 } },
      output: { answer },
    },
    {
      ...shared,
      id: parcel.chatId,
      parent_id: parcel.agentId,
      op_name: 'openai.chat.completions.create',
      started_at: at(1),
      ended_at: at(6),
      inputs: {
        model: 'gpt-4o',
        messages: [
          { role: 'system', content: 'You help customers.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: question },
              { type: 'image_url', image_url: { url: picture } },
              { type: 'input_audio', input_audio: { data: silence.split(',')[1], format: 'wav' } },
            ],
          },
        ],
      },
      output: {
        model: 'gpt-4o',
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: answer,
              reasoning_content: 'The box is torn. Offer both options.',
              tool_calls: [
                {
                  id: 'tool-1',
                  type: 'function',
                  function: { name: 'find_order', arguments: '{"number":9007199254740993}' },
                },
              ],
            },
          },
        ],
      },
      summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 640, completion_tokens: 96, total_tokens: 736 } } },
    },
    {
      ...shared,
      id: parcel.toolId,
      parent_id: parcel.agentId,
      op_name: 'tool.find_order',
      started_at: at(6),
      ended_at: at(8),
      inputs: { number: '9007199254740993' },
      output: null,
      exception:
        'Traceback (most recent call last):\n  File "orders.py", line 7, in find\nOrderNotFound: no such order',
    },
  ]
}
