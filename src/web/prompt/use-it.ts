import type { SnippetStep } from '../snippets/snippet.ts'
import { promptText } from '../text/prompt.ts'
import { jsonIn, type Prompt, settingValue } from './prompt.ts'
import { variablesOf } from './variables.ts'

/** Where a prompt is, and which version a program should use. */
export interface UseFacts {
  readonly url: string
  readonly projectId: string
  readonly name: string
  /** `production`, `latest`, or `v12`. */
  readonly version: string
  readonly prompt: Prompt
}

/** Languages of the snippets. */
export const useLanguages = ['python', 'typescript', 'curl'] as const
export type UseLanguage = (typeof useLanguages)[number]

/** Parameters of a completion with the prompt, apart from the prompt itself. */
function inputsOf(prompt: Prompt): Record<string, unknown> {
  const { model, settings, tools, schema } = prompt
  const variables = variablesOf(prompt)
  const hasUser = prompt.messages.some(({ role }) => role === 'user')
  return {
    model: model || 'gpt-4o-mini',
    ...(variables.length > 0 && {
      template_vars: Object.fromEntries(variables.map(({ name, example }) => [name, example || `…${name}…`])),
    }),
    ...(!hasUser && { messages: [{ role: 'user', content: 'Hello' }] }),
    ...Object.fromEntries(
      Object.entries(settings)
        .filter(([, value]) => value.trim() !== '')
        .map(([name, value]) => [name, settingValue(value)]),
    ),
    ...(isJson(tools) && { tools: jsonIn(tools) }),
    ...(isJson(schema) && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: jsonIn(schema) },
      },
    }),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // Empty, or with a fault that the editor names.
  }
}

/**
 * A program that reads the version, and completes with it: so the call names the version by its
 * digest, and is counted for it. The key is taken from TRACELAKE_KEY.
 */
export function useSnippet(language: UseLanguage, facts: UseFacts): readonly SnippetStep[] {
  const key: SnippetStep = { title: promptText.setKey, language: 'shell', code: 'export TRACELAKE_KEY=…' }
  const code = { python, typescript, curl }[language](facts)
  return [key, { title: promptText.runThis, language: language === 'curl' ? 'shell' : language, code }]
}

const refOf = (projectId: string, name: string): string => `ext:///${projectId}/object/${name}:`

const indented = (value: unknown, by: string): string => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)

const pythonMember = (name: string, value: unknown, indent: string): string =>
  `${indent}${JSON.stringify(name)}: ${pythonValue(value, indent)},\n`

/** JSON as Python writes it. */
function pythonValue(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[\n${value.map((item) => `${inner}${pythonValue(item, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object') {
    const members = Object.entries(value)
    return members.length === 0
      ? '{}'
      : `{\n${members.map(([name, item]) => pythonMember(name, item, inner)).join('')}${indent}}`
  }
  return JSON.stringify(value)
}

const python = ({ url, projectId, name, version, prompt }: UseFacts): string => `import base64, json, os, urllib.request

def post(path, body):
    login = base64.b64encode(f"api:{os.environ['TRACELAKE_KEY']}".encode()).decode()
    headers = {"authorization": f"Basic {login}", "content-type": "application/json"}
    url = "${url}" + path
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))

project = "${projectId}"
read = {"project_id": project, "object_id": ${JSON.stringify(name)}, "digest": "${version}"}
digest = post("/obj/read", read)["obj"]["digest"]
inputs = ${pythonValue(inputsOf(prompt))}
inputs["prompt"] = "${refOf(projectId, name)}" + digest
answer = post("/completions/create", {"project_id": project, "inputs": inputs})
print(json.dumps(answer["response"], indent=2))`

const typescript = ({ url, projectId, name, version, prompt }: UseFacts): string => `import { env } from 'node:process'

const post = async (path: string, body: object) => {
  const authorization = 'Basic ' + btoa('api:' + env.TRACELAKE_KEY)
  const response = await fetch('${url}' + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json() as Promise<any>
}

const project_id = '${projectId}'
const read = { project_id, object_id: ${JSON.stringify(name)}, digest: '${version}' }
const { obj } = await post('/obj/read', read)
const inputs = ${indented(inputsOf(prompt), '')}
const { response } = await post('/completions/create', {
  project_id,
  inputs: { ...inputs, prompt: '${refOf(projectId, name)}' + obj.digest },
})
console.log(JSON.stringify(response, null, 2))`

const curl = ({ url, projectId, name, version, prompt }: UseFacts): string => {
  const inputs = { ...inputsOf(prompt), prompt: `${refOf(projectId, name)}DIGEST` }
  const body = indented({ project_id: projectId, inputs }, '').replaceAll("'", "'\\''")
  return `DIGEST=$(curl -sS -u "api:$TRACELAKE_KEY" -H 'content-type: application/json' ${url}/obj/read \\
  -d '{"project_id": "${projectId}", "object_id": ${JSON.stringify(name)}, "digest": "${version}"}' | jq -r .obj.digest)
curl -sS -u "api:$TRACELAKE_KEY" -H 'content-type: application/json' ${url}/completions/create \\
  -d '${body.replace(`${refOf(projectId, name)}DIGEST`, `${refOf(projectId, name)}'$DIGEST'`)}'`
}
