import { Command } from 'commander'
import { ExampleAgent, stepTo } from './agent.ts'

const options = new Command('agent-example')
  .description(
    'Answers two questions about a project with the tools for agents, following the next steps that the answers name, ' +
      'and prints the exchange with its tokens (o200k). It uses no model.',
  )
  .requiredOption('--key <key>', 'API key')
  .option('--url <url>', 'address of the server', 'http://127.0.0.1:8470')
  .option('--project <name>', 'entity/project', 'demo/airline')
  .parse()
  .opts<{ key: string; url: string; project: string }>()

const { project } = options

async function question(title: string, answer: (agent: ExampleAgent) => Promise<string>): Promise<void> {
  console.log(`\n=== ${title}`)
  const agent = await ExampleAgent.connect(options.url, options.key)
  const found = await answer(agent)
  const { calls, read, written } = agent.tokens
  const { tools, tokens } = await agent.toolTokens()
  console.log(`\nAnswer: ${found}`)
  console.log(
    `${calls} calls; ${read} tokens read, ${written} written; ${tokens} tokens for the list of ${tools} tools`,
  )
  await agent.close()
}

await question('Why did this trace fail?', async (agent) => {
  const failed = await agent.call({ tool: 'search_calls', args: { project, status: 'error', limit: 1 } })
  const trace = await agent.call(stepTo(failed, 'get_trace'))
  const call = await agent.call(stepTo(trace, 'get_call', ({ path }) => path === undefined))
  const inputs = await agent.call(stepTo(call, 'get_call', ({ path }) => path === 'inputs'))
  const error = /^Error: (.*)$/m.exec(call.text)?.[1] ?? ''
  const statement =
    "SELECT regexp_replace(exception, '[0-9]+', 'N', 'g') AS error, count(*) AS times FROM calls \
WHERE exception IS NOT NULL GROUP BY ALL ORDER BY times DESC LIMIT 5"
  const errorsByText = await agent.call({ tool: 'run_sql', args: { project, statement } })
  const payment = /"payment_methods":(\[.*?\])/.exec(inputs.text)?.[1] ?? 'see its inputs'
  const errors = /\((\d+) of (\d+) errors/.exec(trace.text)?.[2] ?? '?'
  const pattern = error.replaceAll(/\d+/g, 'N')
  const times =
    errorsByText.text
      .split('\n')
      .find((line) => line.startsWith(pattern))
      ?.split(' | ')[1] ?? '?'
  const root = /"reward":([\d.]+)/.exec(trace.text)?.[1] ?? 'unknown'
  return `The tool reported "${error}", because the model passed ${payment}. The trace has ${errors} such errors and ended \
with reward ${root}. Calls that failed in this way: ${times}.`
})

await question('Where does the money go?', async (agent) => {
  const overview = await agent.call({ tool: 'overview', args: { project } })
  const byModel = await agent.call(stepTo(overview, 'stats'))
  const byOp = await agent.call(stepTo(byModel, 'stats'))
  const byThread = await agent.call({ tool: 'stats', args: { project, group_by: 'thread_id', limit: 5 } })
  const calls = await agent.call(stepTo(byThread, 'search_calls'))
  const trace = await agent.call(stepTo(calls, 'get_trace'))
  const [model, op, thread] = [byModel, byOp, byThread].map(({ text }) => text.split('\n')[2] ?? '')
  const prompts = [...trace.text.matchAll(/(\d+)\+\d+ tokens/g)].map(([, input]) => Number(input))
  return `By model: ${model}. By op: ${op}. The most expensive conversation: ${thread}. Within it the input grows from \
${prompts[0]} to ${prompts.at(-1)} tokens per request: the whole conversation is sent again each time.`
})
