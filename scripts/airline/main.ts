import { Command } from 'commander'
import type { Trace } from '../../src/demo/traces/call-items.ts'
import { type SendOptions, withSendOptions } from '../senders/options.ts'
import { sendTraces } from '../senders/send.ts'
import { parseConversations } from './conversation.ts'
import { toTrace } from './to-trace.ts'

const command = new Command('replay')
  .description(
    'Sends the recorded conversations of a τ-bench airline file to a running server, as traces. Ids are the same on every run, so a ' +
      'second run changes nothing. Ends with 1 when the server then holds something else than what was sent.',
  )
  .argument('<file>', 'JSON file with the conversations')
withSendOptions(command, 'demo/airline').parse()

const options = command.opts<SendOptions>()
const [file] = command.args as [string]
try {
  const conversations = parseConversations(await Bun.file(file).json())
  const traces = (): Trace[] => conversations.map((each, index) => toTrace(each, index, options.project))
  process.exitCode = (await sendTraces(traces, options)) ? 0 : 1
} catch (cause) {
  console.error(`Replay ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exitCode = 1
}
