import type { Static } from '@sinclair/typebox'
import { byteStream } from '../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../access/index.ts'
import { describeJsonLines } from '../../requests/index.ts'
import { DryRunLine, DryRunRequest } from '../model/dry-run.ts'
import { RulePath, type RulesServices } from './services.ts'

export const dryRunRoute = {
  params: RulePath,
  body: DryRunRequest,
  detail: {
    operationId: 'rules.dryRun',
    summary: 'Try a rule that scores',
    description:
      'Runs the scorers of a rule on the newest calls that it would score: those that match and are in its sample. ' +
      'Nothing is stored, but models are asked and cost what they cost. JSON Lines: what follows, then the calls as ' +
      'they are done, then the sums. The rule may be paused, so that it can be tried before it is on.',
    tags: ['Rules'],
    responses: describeJsonLines('What the rule would do', DryRunLine),
  },
}

const encoder = new TextEncoder()

export async function dryRun(
  { rules }: RulesServices,
  caller: Caller,
  ruleId: string,
  { project_id, limit }: Static<typeof DryRunRequest>,
): Promise<Response> {
  const abort = new AbortController()
  const lines = rules.dryRun(caller.write(project_id), ruleId, limit, abort.signal)
  const bytes = async function* () {
    for await (const line of lines) yield encoder.encode(`${JSON.stringify(line)}\n`)
  }
  return new Response(await byteStream(bytes(), abort), { headers: { 'content-type': 'application/jsonl' } })
}
