import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type Sources } from '../view.ts'

/** Where requests to models have their list of messages, in the order in which it is looked for. */
const requestPlaces = [
  ['messages'],
  ['gen_ai.input.messages'],
  ['llm.input_messages'],
  ['gen_ai.prompt'],
  ['ai.prompt.messages'],
  ['input.value', 'messages'],
  ['events.gen_ai.messages'],
  ['input', 'messages'],
  ['arg0', 'messages'],
  ['kwargs', 'messages'],
  ['request', 'messages'],
  ['body', 'messages'],
  ['contents'],
  ['input'],
]

/** Where responses have theirs: choices, candidates, messages or items. */
const responsePlaces = [
  ['choices'],
  ['gen_ai.output.messages'],
  ['llm.output_messages'],
  ['gen_ai.completion'],
  ['output.value', 'choices'],
  ['response', 'choices'],
  ['candidates'],
  ['output'],
  ['messages'],
]

/** Where requests have instructions beside their messages. */
const systemPlaces = ['system', 'instructions', 'system_instruction', 'systemInstruction']

/** The first array of objects at one of the places; null if there is none. */
function firstArray(engine: SqlEngine, json: string, places: readonly (readonly string[])[]): string {
  const arrays = places.map((path) => {
    const found = engine.textAt(json, ...path)
    return `CASE WHEN ${engine.matches(found, arrayOfObjects)} THEN ${found} END`
  })
  return `coalesce(${arrays.join(',\n      ')})`
}

const arrayOfObjects = '^\\s*\\[\\s*\\{'

/** Where responses have a plain text beside none of those. */
const answerPlaces = ['output.value', 'ai.response.text']

/** Columns of a call that each of its messages has. */
const kept = ['project_id', 'call_id', 'trace_id', 'thread_id', 'model', 'started_at'] as const
const keptOf = (alias: string) => kept.map((name) => `${alias}.${name}`).join(', ')

/** Calls `q` with the lists of their messages as JSON texts. */
function callsSql(engine: SqlEngine, { view }: Sources): string {
  const message = `CASE WHEN substr(s.output, 1, 1) = '{' AND coalesce(${engine.textAt('s.output', 'role')},
      ${engine.at('s.output', 'message')}) IS NOT NULL THEN concat('[', s.output, ']') END`
  // Completions and embeddings are asked with a plain text.
  const asked = `coalesce(${engine.at('s.inputs', 'input')}, ${engine.at('s.inputs', 'prompt')})`
  const question = `CASE WHEN substr(${asked}, 1, 1) = '"' AND ${engine.textAt('s.inputs', 'model')} IS NOT NULL THEN
      concat('[{"role":"user","content":', ${asked}, '}]') END`
  const system = systemPlaces.map((name) => engine.textAt('s.inputs', name)).join(', ')
  const answers = answerPlaces.map((name) => engine.textAt('s.output', name)).join(', ')
  return `(SELECT ${keptOf('c')}, c.request, c.response, c.answer,
    CASE WHEN c.request IS NOT NULL THEN c.system_text END AS system_text,
    CASE WHEN c.system_text IS NOT NULL AND c.request IS NOT NULL THEN 1 ELSE 0 END AS system_count,
    ${engine.length(engine.items('c.request'))} AS request_count
  FROM (SELECT ${keptOf('s')},
      coalesce(${firstArray(engine, 's.inputs', requestPlaces)}, ${question}) AS request,
      coalesce(${system}) AS system_text,
      coalesce(${firstArray(engine, 's.output', responsePlaces)}, ${message}) AS response,
      CASE WHEN substr(s.output, 1, 1) = '"' THEN ${engine.textAt('s.output')}
        WHEN substr(s.output, 1, 1) = '{' THEN coalesce(${answers}) END AS answer
    FROM ${view('spans')} s) c
  WHERE c.request IS NOT NULL OR c.response IS NOT NULL)`
}

/** The texts in a list of parts, one after the other; null if there are none. */
const textOfParts = (engine: SqlEngine, parts: string) =>
  `nullif(${engine.joined(
    engine.map(
      engine.items(parts),
      (part) => `coalesce(${engine.textAt(part, 'text')}, ${engine.textAt(part, 'message_content', 'text')},
        CASE WHEN ${engine.textAt(part, 'type')} = 'text' THEN ${engine.textAt(part, 'content')} END)`,
    ),
  )}, '')`

const textOf = (engine: SqlEngine, content: string) =>
  `CASE substr(${content}, 1, 1) WHEN '"' THEN nullif(${engine.textAt(content)}, '')
    WHEN '[' THEN ${textOfParts(engine, content)}
    WHEN '{' THEN ${engine.textAt(content, 'text')} END`

const first = (engine: SqlEngine, json: string, ...names: readonly string[]) =>
  `coalesce(${names.map((name) => engine.at(json, name)).join(', ')})`
const firstText = (engine: SqlEngine, json: string, ...names: readonly string[]) =>
  `coalesce(${names.map((name) => engine.textAt(json, name)).join(', ')})`

/** The role of a message `b` by the names of all providers. */
const roleSql = (stated: string, otherwise: string) => `CASE
    WHEN lower(${stated}) IN ('human', 'user') THEN 'user'
    WHEN lower(${stated}) IN ('ai', 'model', 'assistant', 'reasoning', 'function_call', 'custom_tool_call')
      THEN 'assistant'
    WHEN lower(${stated}) IN ('developer', 'system') THEN 'system'
    WHEN lower(${stated}) IN ('function', 'tool', 'function_call_output', 'custom_tool_call_output') THEN 'tool'
    WHEN ${stated} IS NULL OR ${stated} = 'message' THEN '${otherwise}' ELSE ${stated} END`

/** Rows of the messages of a list. @param lists a SELECT of calls with the list as `items` */
function itemRows(
  engine: SqlEngine,
  lists: string,
  { source, index, role }: { source: string; index: string; role: string },
) {
  const message = engine.at('i.item', 'message')
  const content = engine.at('i.item', 'content')
  const body = `(SELECT ${keptOf('i')}, ${index} AS message_index, i.item, CASE
      WHEN substr(${message}, 1, 1) = '{' THEN ${message}
      WHEN substr(${content}, 1, 1) = '{' THEN ${content} ELSE i.item END AS body
    FROM ${engine.unnestItems(lists)} i WHERE i.item_index >= i.repeated)`
  return {
    values: {
      ...keptValues('m'),
      message_index: 'm.message_index',
      source: `'${source}'`,
      role: roleSql('m.stated_role', role),
      name: engine.textAt('m.body', 'name'),
      text: textOf(engine, 'm.content'),
      content: 'm.content',
      tool_calls: first(engine, 'm.body', 'tool_calls', 'toolCalls', 'function_call'),
      tool_call_id: firstText(engine, 'm.body', 'tool_call_id', 'toolCallId', 'call_id'),
    },
    from: `(SELECT ${keptOf('b')}, b.message_index, b.body,
    coalesce(${engine.textAt('b.body', 'role')}, ${engine.textAt('b.item', 'role')},
      ${engine.textAt('b.body', 'type')}) AS stated_role,
    ${first(engine, 'b.body', 'content', 'parts', 'contents', 'text', 'output')} AS content
  FROM ${body} b) m`,
  }
}

const keptValues = (alias: string) => ({
  project_id: `${alias}.project_id`,
  call_id: `${alias}.call_id`,
  trace_id: `${alias}.trace_id`,
  thread_id: `${alias}.thread_id`,
  model: `${alias}.model`,
  started_at: `${alias}.started_at`,
})

const noText = "nullif('', '')"

export const messages = defineView({
  name: 'messages',
  description:
    'Messages that models were sent and answered, one row each, in the forms of chat completions, the Responses ' +
    'API, Anthropic, Gemini, and the conventions GenAI, OpenInference and OpenLLMetry. The web UI finds more forms.',
  columns: {
    project_id: 'entity/project',
    call_id: 'call that has the message',
    trace_id: 'trace of the call',
    thread_id: 'conversation; null if none',
    model: 'model of the call',
    started_at: 'start of the call',
    message_index: 'place among the messages of the call, from 0',
    source: 'inputs or output',
    role: 'system, user, assistant, tool, or as stated',
    name: 'name of the author or the tool, if stated',
    text: 'the text, without pictures, tool calls and reasoning; null if there is none',
    content: 'JSON value: the content as it is stored',
    tool_calls: 'JSON value: tool calls beside the content',
    tool_call_id: 'id of the tool call that the message answers',
  },
  rows: (engine, from) => {
    const calls = callsSql(engine, from)
    const prefix = (column: string) => `substr(q.${column}, 1, length(q.request) - 1)`
    // Graphs return the whole conversation; only what is new was answered.
    const repeated = `CASE WHEN length(q.response) > length(q.request) AND ${prefix('response')} = ${prefix('request')}
        THEN q.request_count ELSE 0 END`
    return [
      {
        values: {
          ...keptValues('q'),
          message_index: '0',
          source: "'inputs'",
          role: "'system'",
          name: noText,
          text: `CASE WHEN ${engine.matches('q.system_text', arrayOfObjects)} THEN
      ${textOfParts(engine, 'q.system_text')}
    ELSE q.system_text END`,
          content: noText,
          tool_calls: noText,
          tool_call_id: noText,
        },
        from: `${calls} q WHERE q.system_count = 1`,
      },
      itemRows(
        engine,
        `SELECT ${keptOf('q')}, q.system_count AS earlier, 0 AS repeated, ${engine.items('q.request')} AS items
      FROM ${calls} q WHERE q.request IS NOT NULL`,
        { source: 'inputs', index: 'i.earlier + i.item_index', role: 'user' },
      ),
      itemRows(
        engine,
        `SELECT ${keptOf('q')}, q.system_count + q.request_count AS earlier, ${repeated} AS repeated,
        ${engine.items('q.response')} AS items FROM ${calls} q WHERE q.response IS NOT NULL`,
        { source: 'output', index: 'i.earlier - i.repeated + i.item_index', role: 'assistant' },
      ),
      {
        values: {
          ...keptValues('q'),
          message_index: 'q.system_count + q.request_count',
          source: "'output'",
          role: "'assistant'",
          name: noText,
          text: 'q.answer',
          content: noText,
          tool_calls: noText,
          tool_call_id: noText,
        },
        from: `${calls} q WHERE q.request IS NOT NULL AND q.response IS NULL AND q.answer <> ''`,
      },
    ]
  },
})
