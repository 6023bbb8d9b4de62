/** How an argument of a tool is written on the command line. */
interface Word {
  /** Name of the argument. */
  readonly argument: string
  /** Option or positional argument as Commander writes it. */
  readonly syntax: string
  readonly description: string
  /** Type that its text is converted to; a string by default. */
  readonly as?: 'number' | 'json' | 'flag' | 'words' | 'list'
}

/** A tool as a command. */
export interface ToolCommand {
  readonly name: string
  readonly tool: string
  readonly description: string
  readonly positional: readonly Word[]
  readonly options: readonly Word[]
}

const limit: Word = { argument: 'limit', syntax: '--limit <number>', description: 'number of lines', as: 'number' }

const conditions: readonly Word[] = [
  { argument: 'op', syntax: '--op <name>', description: 'only calls of this op' },
  {
    argument: 'status',
    syntax: '--status <status>',
    description: 'success, failed, error, descendant_error or running',
  },
  { argument: 'trace_id', syntax: '--trace <id>', description: 'only calls of this trace' },
  { argument: 'thread_id', syntax: '--thread <id>', description: 'only calls of this conversation' },
  { argument: 'roots_only', syntax: '--roots', description: 'only roots of traces', as: 'flag' },
  { argument: 'since', syntax: '--since <time>', description: 'only calls that started at or after this time' },
  { argument: 'until', syntax: '--until <time>', description: 'only calls that started before this time' },
  { argument: 'query', syntax: '--query <json>', description: 'condition in the query language', as: 'json' },
]

/** The tools for agents as commands. */
export const toolCommands: readonly ToolCommand[] = [
  { name: 'overview', tool: 'overview', description: 'show projects, ops and models', positional: [], options: [] },
  {
    name: 'calls',
    tool: 'search_calls',
    description: 'find calls',
    positional: [{ argument: 'text', syntax: '[words...]', description: 'words to find', as: 'words' }],
    options: [
      ...conditions,
      { argument: 'sort', syntax: '--sort <order>', description: 'newest, oldest or slowest' },
      {
        argument: 'after',
        syntax: '--after <json>',
        description: 'position at which the previous page ended',
        as: 'json',
      },
      limit,
    ],
  },
  {
    name: 'trace',
    tool: 'get_trace',
    description: 'show a trace as a tree',
    positional: [{ argument: 'trace_id', syntax: '<trace>', description: 'id of the trace' }],
    options: [
      { argument: 'below', syntax: '--below <call>', description: 'only the calls below this one' },
      { argument: 'depth', syntax: '--depth <number>', description: 'number of levels', as: 'number' },
      { argument: 'expand', syntax: '--expand <values...>', description: 'values to show, as CALL,PATH', as: 'list' },
      limit,
    ],
  },
  {
    name: 'call',
    tool: 'get_call',
    description: 'show a call, or one value of it',
    positional: [
      { argument: 'call_id', syntax: '<call>', description: 'id of the call' },
      { argument: 'path', syntax: '[path]', description: 'path of a value, such as output.choices.0' },
    ],
    options: [
      { argument: 'offset', syntax: '--offset <number>', description: 'characters to skip', as: 'number' },
      { argument: 'length', syntax: '--length <number>', description: 'characters to show', as: 'number' },
    ],
  },
  {
    name: 'stats',
    tool: 'stats',
    description: 'count calls, errors, tokens and cost',
    positional: [],
    options: [
      { argument: 'group_by', syntax: '--group-by <field>', description: 'op_name, model, thread_id or any path' },
      { argument: 'bucket', syntax: '--bucket <length>', description: '5min, hour, day or week' },
      { argument: 'order', syntax: '--order <by>', description: 'cost, calls, errors or duration' },
      ...conditions,
      limit,
    ],
  },
  {
    name: 'compare',
    tool: 'compare_evaluations',
    description: 'compare evaluations, largest differences first',
    positional: [{ argument: 'evaluations', syntax: '[evaluations...]', description: 'their call ids', as: 'list' }],
    options: [
      { argument: 'score', syntax: '--score <path>', description: 'score that decides the order' },
      { argument: 'offset', syntax: '--offset <number>', description: 'rows to skip', as: 'number' },
      limit,
    ],
  },
  {
    name: 'query',
    tool: 'run_sql',
    description: 'run a SELECT over the rows of a project, on the server',
    positional: [{ argument: 'statement', syntax: '<statement>', description: 'one DuckDB SELECT' }],
    options: [limit],
  },
  {
    name: 'schema',
    tool: 'describe_schema',
    description: 'describe the tables for query',
    positional: [{ argument: 'table', syntax: '[table]', description: 'a table' }],
    options: [],
  },
  {
    name: 'feedback',
    tool: 'add_feedback',
    description: 'judge a call',
    positional: [{ argument: 'call_id', syntax: '<call>', description: 'id of the call' }],
    options: [
      { argument: 'note', syntax: '--note <text>', description: 'a note' },
      { argument: 'reaction', syntax: '--reaction <emoji>', description: 'a reaction' },
      { argument: 'type', syntax: '--type <name>', description: 'name of the value' },
      { argument: 'payload', syntax: '--payload <json>', description: 'its value', as: 'json' },
    ],
  },
  {
    name: 'dataset',
    tool: 'add_to_dataset',
    description: 'add calls to a dataset',
    positional: [
      { argument: 'dataset', syntax: '<name>', description: 'name of the dataset' },
      { argument: 'call_ids', syntax: '<calls...>', description: 'ids of calls', as: 'list' },
    ],
    options: [],
  },
  {
    name: 'docs',
    tool: 'search_docs',
    description: 'search the guide',
    positional: [{ argument: 'query', syntax: '<words...>', description: 'a few words', as: 'words' }],
    options: [{ argument: 'skip', syntax: '--skip <number>', description: 'sections to skip', as: 'number' }],
  },
]
