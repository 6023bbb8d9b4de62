import { startText } from '../text/start.ts'
import type { SnippetFacts } from './snippet.ts'

/** A tool from which `tracelake import` copies traces. */
export interface ImportSource {
  /** Name of the tool in the command. */
  readonly id: string
  readonly name: string
  /** Where the traces are: a path or an address, with options that belong to it. */
  readonly place: string
  /** Note about the place. */
  readonly note: string
}

const { importNotes: notes } = startText

/** The tools from which traces can be copied. */
export const importSources: readonly ImportSource[] = [
  { id: 'claude-code', name: 'Claude Code', place: '~/.claude/projects', note: notes.claudeCode },
  { id: 'codex', name: 'Codex', place: '~/.codex/sessions', note: notes.codex },
  {
    id: 'weave',
    name: 'Weave',
    place: 'https://WEAVE_SERVER --source-key SOURCE_KEY --select ENTITY/PROJECT',
    note: notes.weave,
  },
  {
    id: 'langfuse',
    name: 'Langfuse',
    place: 'https://cloud.langfuse.com --source-key PUBLIC_KEY:SECRET_KEY',
    note: notes.langfuse,
  },
  { id: 'phoenix', name: 'Phoenix', place: '~/.phoenix/phoenix.db', note: notes.phoenix },
  { id: 'mlflow', name: 'MLflow', place: 'mlflow.db', note: notes.mlflow },
  { id: 'otlp', name: startText.otlpFiles, place: './telemetry', note: notes.otlp },
  { id: 'jaeger', name: 'Jaeger', place: 'traces.json', note: notes.jaeger },
  { id: 'inspect', name: 'Inspect', place: './logs', note: notes.inspect },
]

/** The command that copies the traces of a source into the project. */
export const importCommand = ({ id, place }: ImportSource, { command, url, projectId, key }: SnippetFacts): string =>
  `${command} import ${id} ${place} \\
  --to ${url} \\
  --key ${key} \\
  --project ${projectId.includes(' ') ? `"${projectId}"` : projectId}`
