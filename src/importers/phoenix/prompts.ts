import { isJsonObject } from '../../lib/json-value.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import { promptRecord } from '../objects/prompt.ts'
import type { ImportRecord } from '../record.ts'
import { jsonOf, textOrNull } from './values.ts'

/** All versions of prompts, the oldest first. A tag points to one version and becomes an alias. */
export function* phoenixPrompts(database: SqliteFile): Generator<ImportRecord> {
  if (!database.hasTable('prompts') || !database.hasTable('prompt_versions')) return
  for (const version of [...database.rows(versions)]) {
    const aliases = [...database.rows(tagsOf, Number(version['id']))].map(({ name }) => String(name))
    const labels = [...database.rows(labelsOf, Number(version['prompt_id']))].map(({ name }) => String(name))
    yield promptRecord({
      name: String(version['prompt']),
      description: textOrNull(version['description']) ?? textOrNull(version['prompt_description']),
      prompt: templateOf(version),
      more: moreOf(version),
      labels: { tags: labels, aliases },
    })
  }
}

const versions = `
  SELECT v.*, p.name AS prompt, p.description AS prompt_description
  FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id ORDER BY v.id`

const tagsOf = 'SELECT name FROM prompt_version_tags WHERE prompt_version_id = ? ORDER BY name'

const labelsOf = `
  SELECT l.name FROM prompts_prompt_labels x JOIN prompt_labels l ON l.id = x.prompt_label_id
  WHERE x.prompt_id = ? ORDER BY l.name`

function templateOf({ template }: SqliteRow): string | readonly unknown[] {
  const value = jsonOf(template)
  if (!isJsonObject(value)) return String(value ?? '')
  const { messages, template: text } = value
  return Array.isArray(messages) ? messages : String(text ?? '')
}

function moreOf(version: SqliteRow): Record<string, unknown> {
  const { template_format, model_provider, model_name, invocation_parameters, tools, response_format, metadata } =
    version
  const members = {
    template_format,
    model_provider,
    model_name,
    invocation_parameters: jsonOf(invocation_parameters),
    tools: jsonOf(tools),
    response_format: jsonOf(response_format),
    metadata: jsonOf(metadata),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
