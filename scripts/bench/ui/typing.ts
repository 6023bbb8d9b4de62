import type { BenchServer } from '../bench-server.ts'
import type { Benchmark } from '../benchmark.ts'
import { SeenPage } from './seen-page.ts'

const projectId = 'bench/prompts'
const longText = '[data-message="0"] textarea'
/** The button in place of a long text. */
const showAll = '[data-message="0"] > div button'

/** What a key press costs in the editor of a long prompt. */
export const typing: Benchmark = {
  name: 'typing',
  description:
    'The editor of a prompt in Chromium on the same machine: milliseconds that the main thread works per key press, in ' +
    'scripts, layout and painting, at the end of a message of that size.',
  run: async (bench) => {
    await using server = await bench.startServer(bench.newFolder('prompts'))
    await using seen = await SeenPage.open(server)
    const kilobytes = bench.size(200, 30)
    await storePrompt(server, kilobytes * 1000)
    await seen.goTo(`/ui/${projectId}/prompts/long`, showAll)
    await seen.click(showAll, longText)
    const value = await seen.type(longText, bench.size(40, 3))
    return [{ variant: `prompt of ${kilobytes} KB`, measure: 'key press', value, unit: 'ms', target: { max: 16 } }]
  },
}

/** Stores a prompt with a message of about `characters` characters, full of variables. */
async function storePrompt(server: BenchServer, characters: number): Promise<void> {
  const line = 'Answer {{name}} in the language of {{question}}, with the policy of the airline in mind.\n'
  const val = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages: [
      { role: 'system', content: line.repeat(Math.ceil(characters / line.length)) },
      { role: 'user', content: '{{question}}' },
    ],
    template_format: 'mustache',
  }
  const response = await fetch(`${server.url}/obj/create`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${server.key}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ obj: { project_id: projectId, object_id: 'long', val } }),
  })
  if (!response.ok) throw new Error(`Store a prompt: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
