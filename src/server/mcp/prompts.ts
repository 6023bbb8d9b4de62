import { DomainError, quoted } from '../../lib/errors.ts'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly text: (args: Readonly<Record<string, string>>) => string
}

const project = { name: 'project', description: 'The project, as entity/project', required: true }

const inProject = (args: Readonly<Record<string, string>>): string => `the tracelake project "${args['project'] ?? ''}"`

const wantedTrace = (args: Readonly<Record<string, string>>): string =>
  args['trace_id'] ? `the trace ${args['trace_id']}` : 'the newest failed trace'

/** Questions that users ask again and again, with the way to their answers. */
export const prompts: readonly Prompt[] = [
  {
    name: 'why_did_this_trace_fail',
    title: 'Why did this trace fail?',
    description: 'Finds the cause of a failed or wrong trace',
    arguments: [
      project,
      { name: 'trace_id', description: 'The trace; the newest failed one if omitted', required: false },
    ],
    text: (args) =>
      `Find out why ${wantedTrace(args)} of ${inProject(args)} failed.\n` +
      '1. Without a trace id: `search_calls` with status "error"; if none failed, look for roots whose output tells ' +
      'of a failure (low scores, rewards, refusals) with `search_calls` and roots_only.\n' +
      '2. `get_trace` shows the tree, the result of the root and the errors.\n' +
      '3. `get_call` on the failed call, then on the call before it: what was it given, and who decided that? A ' +
      'call can be wrong without an error: compare what was asked with what was done.\n' +
      '4. `search_calls` with the same op or error tells whether it happens elsewhere.\n' +
      'Answer with the cause, the call id that proves it, how often it happens, and a fix. Quote as little as you can.',
  },
  {
    name: 'where_does_the_money_go',
    title: 'Where does the money go?',
    description: 'Finds what causes the cost of a project',
    arguments: [
      project,
      { name: 'since', description: 'Beginning of the time to look at, as ISO 8601', required: false },
    ],
    text: (args) =>
      `Find out where the money goes in ${inProject(args)}${args['since'] ? ` since ${args['since']}` : ''}.\n` +
      '1. `stats` with group_by "model", then with group_by "op_name".\n' +
      '2. `stats` with group_by "thread_id" (or a path such as "attributes.customer") finds the expensive ones; ' +
      'with bucket "day" it shows when.\n' +
      '3. `get_trace` on an expensive one: input tokens that grow from call to call are a conversation that is sent ' +
      'again each time; cached tokens in brackets cost less.\n' +
      'Answer with the largest items in dollars and percent, their cause, and what would save most.',
  },
]

/** @throws DomainError NotFound; InvalidRequest without a required argument */
export function promptNamed(name: string, args: Readonly<Record<string, string>>) {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) throw new DomainError('NotFound', `There is no prompt ${quoted(name)}`)
  const missing = prompt.arguments.find((argument) => argument.required && !args[argument.name])
  if (missing)
    throw new DomainError('InvalidRequest', `The prompt ${quoted(name)} requires the argument \`${missing.name}\``)
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(args) } }],
  }
}
