import { Command, InvalidArgumentError } from 'commander'
import { answerTurn } from '../../src/demo/support-bot/answer.ts'
import { type Story, scheduleTurns } from '../../src/demo/support-bot/schedule.ts'
import type { Trace } from '../../src/demo/traces/call-items.ts'
import { positiveInteger, positiveNumber, type SendOptions, withSendOptions } from '../senders/options.ts'
import { sendTraces } from '../senders/send.ts'

type DemoOptions = SendOptions & Omit<Story, 'untilMs'> & { readonly until?: number }

const hourMs = 3_600_000

const command = new Command('demo')
  .description(
    'Sends made-up traces of a support bot to a running server: retrieval, tools, several models, errors, threads with turns, token ' +
      'counts. Equal options give equal traces, so a second run changes nothing. Ends with 1 when the server then holds something ' +
      'else than what was sent.',
  )
  .option('--traces <number>', 'how many traces', positiveInteger, 500)
  .option('--seed <number>', 'which story', positiveInteger, 1)
  .option('--days <number>', 'how many days the story lasts', positiveNumber, 7)
  .option('--until <time>', 'when it ends, ISO 8601 (default: the last full hour)', instant)
withSendOptions(command, 'demo/support-bot').parse()

const options = command.opts<DemoOptions>()
const story: Story = { ...options, untilMs: options.until ?? Math.floor(Date.now() / hourMs) * hourMs }
try {
  process.exitCode = (await sendTraces(traces, options)) ? 0 : 1
} catch (cause) {
  console.error(`Demo: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exitCode = 1
}

function* traces(): Generator<Trace> {
  for (const [index, turn] of scheduleTurns(story).entries()) {
    yield answerTurn(turn, { projectId: options.project, story, index })
  }
}

function instant(text: string): number {
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('It takes a time such as 2025-01-31T12:00:00Z.')
  return atMs
}
