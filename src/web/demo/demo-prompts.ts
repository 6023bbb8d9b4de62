import { post, sendJson } from '../api/client.ts'
import { contentOf, newMessage, type Prompt, promptOf } from '../prompt/prompt.ts'
import { moveAlias, refOf, saveVersion } from '../versions/objects.ts'

/** A version of a prompt of the demo. */
interface DemoVersion {
  readonly prompt: Partial<Prompt>
  readonly tags?: readonly string[]
}

const text = (...lines: readonly string[]): string => lines.join('\n')

const tools = JSON.stringify(
  [
    ['get_reservation', 'Read a reservation.', 'reservation_id'],
    ['cancel_reservation', 'Cancel a reservation, after a yes.', 'reservation_id'],
    ['search_policy', 'Find rules of the airline.', 'query'],
  ].map(([name = '', description, argument = '']) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
    },
  })),
  null,
  2,
)

const user = () => newMessage('user', '{{task}}')
const example = (): Prompt['messages'] =>
  promptOf({
    messages: [
      { role: 'user', content: 'Reservation M20IZO: upgrade all passengers to business.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_reservation', arguments: '{"reservation_id": "M20IZO"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"cabin": "economy", "insured": true, "price": 412.5}' },
    ],
  }).messages

const variables = {
  now: { type: 'date-time', example: '2026-11-22T10:57:20Z' },
  task: { type: 'text', example: 'You want to cancel your flight to Seattle, reservation M20IZO.' },
}

const role = 'You are an agent of an airline. You help users book, modify or cancel flight reservations.'
const one = 'Only make one tool call at a time, and if you make a tool call, do not answer in the same turn.'

/** Prompts of the demo, with their versions in order. */
const prompts: Readonly<Record<string, readonly DemoVersion[]>> = {
  airline_policy: [
    {
      prompt: {
        description: 'First draft',
        messages: [newMessage('system', text(role, 'The current time is {{now}}.', one)), user()],
        settings: { temperature: '0.7', max_tokens: '1024' },
        variables,
      },
    },
    {
      prompt: {
        description: 'Baggage table',
        messages: [
          newMessage(
            'system',
            text(role, 'The current time is {{now}} EST.', 'Silver members check one bag free.', one),
          ),
          user(),
        ],
        settings: { temperature: '0.7', max_tokens: '1024' },
        variables,
      },
    },
    {
      prompt: {
        description: 'Refund limits by cabin',
        messages: [
          newMessage(
            'system',
            text(
              role,
              'Refunds above $500 need a human agent.',
              'Before taking any actions, list the details of the action and obtain user confirmation to proceed.',
              'Silver members check one bag free. Each further bag is $50.',
              one,
            ),
          ),
          ...example(),
          user(),
        ],
        settings: { temperature: '0.7', max_tokens: '1024' },
        tools,
        variables,
      },
    },
    {
      prompt: {
        description: 'Asks before every write',
        messages: [
          newMessage(
            'system',
            text(
              role,
              'Refunds over 500 USD need a human agent.',
              'Before any write to the database, list the details and obtain an explicit yes to proceed.',
              'If the user answers in another language, such as 日本語 or العربية, keep that language: 「はい」 is a yes.',
              'Silver members check one bag free. Each further bag is $50.',
              one,
            ),
          ),
          ...example(),
          user(),
        ],
        settings: { temperature: '0', max_tokens: '1024', top_p: '1' },
        tools,
        variables,
      },
      tags: ['candidate'],
    },
  ],
  baggage_faq: [
    {
      prompt: {
        description: 'First draft',
        messages: [
          newMessage('system', 'Answer questions about baggage of {{airline}}.'),
          newMessage('user', '{{question}}'),
        ],
        variables: {
          airline: { type: 'text', example: 'HAT' },
          question: { type: 'text', example: 'How many bags may I take?' },
        },
      },
    },
    {
      prompt: {
        description: 'Names the fare',
        messages: [
          newMessage(
            'system',
            'Answer questions about baggage of {{airline}}. Always name the fare and the status it holds for.',
          ),
          newMessage('user', '{{question}}'),
        ],
        variables: {
          airline: { type: 'text', example: 'HAT' },
          question: { type: 'text', example: 'How many bags may I take?' },
        },
      },
    },
  ],
  refund_judge: [
    {
      prompt: {
        description: 'First draft',
        messages: [
          newMessage('system', 'Judge whether the refund follows the policy.'),
          newMessage('user', 'Policy:\n{{policy_text}}\n\nAnswer:\n{{answer}}'),
        ],
        schema: JSON.stringify(
          {
            type: 'object',
            properties: { follows: { type: 'boolean' }, reason: { type: 'string' } },
            required: ['follows', 'reason'],
            additionalProperties: false,
          },
          null,
          2,
        ),
        variables: { answer: { type: 'text', example: 'The refund of $412.50 reaches your card in 5 days.' } },
      },
    },
  ],
}

/** Where `production` is, by the number of the version. */
const live: Readonly<Record<string, number>> = { airline_policy: 2, baggage_faq: 1 }

/**
 * Stores the prompts of the demo with all their versions.
 *
 * @returns refs of the versions of the agent's prompt, the first one first
 * @throws {Problem}
 */
export async function storeDemoPrompts(projectId: string): Promise<readonly string[]> {
  const refs: string[] = []
  for (const [name, versions] of Object.entries(prompts)) {
    const digests: string[] = []
    for (const { prompt, tags = [] } of versions) {
      const val = contentOf({ ...promptOf({}), format: 'mustache', model: 'gpt-4o', ...prompt })
      const { digest } = await saveVersion(projectId, name, val, digests.at(-1))
      digests.push(digest)
      const path = `/objs/${name}/versions/${digest}/tags`
      if (tags.length > 0) await sendJson('PUT', path, { project_id: projectId, tags })
    }
    const to = digests[live[name] ?? -1]
    if (to !== undefined) await moveAlias(projectId, name, 'production', { from: undefined, to })
    if (name === 'airline_policy')
      refs.push(...digests.map((digest) => refOf(projectId, { object_id: name, kind: 'object', digest })))
  }
  return refs
}

/** A call of the demo that used a version of the prompt. */
export interface JudgedCall {
  readonly id: string
  /** Number of the version. */
  readonly version: number
}

/** How often of ten calls a version does well, by score. */
const goodOfTen: Readonly<Record<string, readonly number[]>> = {
  asked_first: [6, 7, 8, 10],
  polite: [9, 9, 9, 9],
}

/** Stores what a judge says of the calls. @throws {Problem} */
export async function storeDemoScores(projectId: string, calls: readonly JudgedCall[]): Promise<void> {
  const batch = calls.flatMap(({ id, version }, index) =>
    Object.entries(goodOfTen).map(([name, good]) => ({
      project_id: projectId,
      ext_ref: `ext:///${projectId}/call/${id}`,
      feedback_type: `ext.runnable.${name}`,
      payload: { output: { passed: (index * 7 + name.length) % 10 < (good[version] ?? 0) } },
      runnable_ref: `ext:///${projectId}/object/${name}:v0`,
    })),
  )
  await post('/feedback/batch/create', { batch })
}
