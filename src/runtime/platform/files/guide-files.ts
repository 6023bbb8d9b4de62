import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const embedded = new Map<string, string>()

/**
 * Makes the page `name` of the guide be read from `file`, a path inside the executable.
 *
 * @public The entry point of the executable, which scripts/executable generates, calls it.
 */
export function useEmbeddedGuideFile(name: string, file: string): void {
  embedded.set(name, file)
}

/** The program runs from src/runtime/platform/ or from dist/. */
function repository(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  return path.join(here, import.meta.url.endsWith('/src/runtime/platform/files/guide-files.ts') ? '../../../..' : '..')
}

/** Where the pages are in the repository, by their name in the guide. */
const folders = { guide: 'docs/guide', skill: 'docs/skill' } as const

/** The pages of the guide by file name, for example `clients/codex.md`, as Markdown. */
export async function readGuideFiles(): Promise<ReadonlyMap<string, string>> {
  const files = embedded.size > 0 ? [...embedded].filter(([name]) => name !== skillName) : await filesInFolder()
  return new Map(await Promise.all(files.map(async ([name, file]) => [name, await readFile(file, 'utf8')] as const)))
}

const skillName = 'SKILL.md'

/** The skill for coding agents, as Markdown. */
export async function readSkillFile(): Promise<string> {
  return await readFile(embedded.get(skillName) ?? path.join(repository(), folders.skill, skillName), 'utf8')
}

async function filesInFolder(): Promise<(readonly [string, string])[]> {
  const folder = path.join(repository(), folders.guide)
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  return names.map((name) => [name.replaceAll(path.sep, '/'), path.join(folder, name)] as const)
}
