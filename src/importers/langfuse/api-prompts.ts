import { promptRecord } from '../objects/prompt.ts'
import type { ImportRecord } from '../record.ts'
import type { LangfuseApi, Members } from './api-client.ts'
import { textOf } from './row.ts'

/** All versions of prompts, the oldest first. A label points to one: it becomes an alias. */
export async function* apiPrompts(api: LangfuseApi): AsyncGenerator<ImportRecord> {
  for await (const { name, versions } of api.list('/api/public/v2/prompts')) {
    const numbers = Array.isArray(versions) ? versions.map(Number).sort((a, b) => a - b) : []
    for (const version of numbers) {
      const path = `/api/public/v2/prompts/${encodeURIComponent(String(name))}?version=${version}`
      const prompt = await api.find(path)
      if (prompt === undefined) yield { kind: 'loss', what: 'versions of prompts that were deleted meanwhile' }
      else yield promptVersion(prompt)
    }
  }
}

const promptVersion = ({ name, prompt, config, version, labels, tags, commitMessage }: Members): ImportRecord =>
  promptRecord({
    name: String(name),
    description: textOf(commitMessage) ?? null,
    prompt: Array.isArray(prompt) ? prompt : String(prompt ?? ''),
    more: { config: config ?? null, langfuse_version: version },
    labels: { tags: texts(tags), aliases: texts(labels) },
  })

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
