import { isJsonObject } from '../../lib/json-value.ts'
import { listInputFiles, readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { environmentVariable, homeFolder } from '../../runtime/platform/runtime.ts'
import { readLines, tooLongLine } from '../input/lines.ts'
import type { ImportRecord } from '../record.ts'
import type { Source } from '../source.ts'
import { Rollout } from './rollout.ts'

/** Sessions of Codex: one file per session, in folders by date. */
export const codex: Source = {
  name: 'codex',
  summary: 'sessions of Codex (default: ~/.codex/sessions)',
  defaultPlace: () => joinPath(environmentVariable('CODEX_HOME') ?? joinPath(homeFolder(), '.codex'), 'sessions'),
  telemetry: { agentName: 'codex', scopePrefix: 'codex' },
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /^rollout-.*\.jsonl$/.test(name))) {
      if (select !== undefined && !file.name.includes(select)) continue
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, file.name),
      }
    }
  },
}

async function* recordsOf(path: string, name: string): AsyncGenerator<ImportRecord> {
  const rollout = new Rollout(name)
  const losses = new Map<string, number>()
  const lose = (what: string) => losses.set(what, (losses.get(what) ?? 0) + 1)
  for await (const text of readLines(readDecompressed(path), () => lose(tooLongLine))) {
    let line: unknown
    try {
      line = JSON.parse(text)
    } catch {
      lose('lines that are not JSON')
      continue
    }
    if (isJsonObject(line)) yield* rollout.take(line, lose)
    else lose('lines that are no objects')
  }
  yield* rollout.end()
  for (const [what, count] of losses) yield { kind: 'loss', what, count }
}
