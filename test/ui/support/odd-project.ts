import type { Client } from '../../conformance/support/client.ts'
import { Project } from '../../conformance/support/project.ts'

/** Projects of things that tables, charts and messages rarely see. */
export const odd = {
  /** Values that are missing, empty or blank, texts that run from right to left, tracebacks. */
  projectId: 'acme/odd',
  /** A model's answer with links, from right to left. */
  chatId: 'odd-chat',
  threadId: 'שיחה',
  rightToLeft:
    'שלום, אני רוצה להחזיר את החבילה שקיבלתי אתמול כי היא הגיעה קרועה ורטובה, ואני צריך תשובה עוד היום בבקשה',
  /** Columns of values that only some calls have. */
  columns: 'op,name,user,thread,input,output,inputs.tier,attributes.region',
  /** A project of one call. */
  oneCallId: 'acme/one-call',
} as const

const minuteMs = 60_000

/** A moment ago: newer calls have a lower number. */
const times = (index: number) => {
  const startedMs = Math.floor(Date.now() / minuteMs) * minuteMs - (index + 5) * minuteMs
  return { started_at: new Date(startedMs).toISOString(), ended_at: new Date(startedMs + 1_200).toISOString() }
}

/** Stores both projects. */
export async function seedOdd(client: Client): Promise<void> {
  const project = new Project(client, 'acme', 'odd')
  const call = (index: number, id: string, members: object) => ({
    id,
    trace_id: id,
    op_name: 'answer',
    ...times(index),
    ...members,
  })
  await project.complete(
    call(0, odd.chatId, {
      op_name: 'openai.chat.completions.create',
      thread_id: odd.threadId,
      ext_user_id: 'דנה',
      inputs: { messages: [{ role: 'user', content: odd.rightToLeft }] },
      output: {
        choices: [
          {
            finish_reason: 'stop',
            message: {
              role: 'assistant',
              content:
                'קראו את [תנאי ההחזרה](https://example.com/returns) או כתבו אל https://example.com/help לפני יום ראשון.',
            },
          },
        ],
      },
    }),
    call(1, 'odd-rtl', { thread_id: odd.threadId, inputs: { question: odd.rightToLeft }, output: odd.rightToLeft }),
    call(2, 'odd-empty', { inputs: { question: '', tier: '' }, output: '', attributes: { region: '' } }),
    call(3, 'odd-blank', { inputs: { question: '   ' }, output: '  ', ext_user_id: ' ', attributes: { region: ' ' } }),
    call(4, 'odd-missing', { inputs: {}, output: null }),
    call(5, 'odd-values', {
      thread_id: 'plain',
      ext_user_id: 'ann',
      inputs: { tier: 'gold' },
      output: { ok: true },
      attributes: { region: 'eu' },
    }),
    call(6, 'odd-error', {
      inputs: { question: 'Where is order 1187?' },
      output: null,
      exception:
        'Traceback (most recent call last):\n  File "orders.py", line 7, in find\n    raise OrderNotFound(number)\nOrderNotFound: no such order: 1187',
    }),
    call(7, 'odd-inside', {
      inputs: { question: 'Find it again' },
      output: 'I could not.',
      ended_at: times(7).ended_at,
    }),
    {
      ...call(7, 'odd-inside-tool', {
        op_name: 'tool.find_order',
        inputs: { number: 1187 },
        output: null,
        exception: 'OrderNotFound: no such order: 1187',
      }),
      trace_id: 'odd-inside',
      parent_id: 'odd-inside',
    },
  )
  await new Project(client, 'acme', 'one-call').complete({
    id: 'only',
    trace_id: 'only',
    op_name: 'answer',
    ...times(0),
    inputs: { question: 'Is anybody there?' },
    output: 'Yes',
    summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 } } },
  })
}
