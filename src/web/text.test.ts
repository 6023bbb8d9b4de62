import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import path from 'node:path'

const textFolder = path.join(import.meta.dir, 'text')

/** Verbs and units that end in s. */
const singular = /^(?:differs|is|was|has|s|ms|needs|waits|says|keeps|as|leaves|differs)$/

function isWrong(text: string): boolean {
  const words = text.matchAll(/(?<![\d.,“])1 (?:(?:more|new|earlier|equal|newest|different) )?([a-z]+s)\b/g)
  return [...words].some(([, word]) => !singular.test(word!))
}

/** Every text that a function of `words` makes of ones, with its name. */
function textsOf(words: object, name: string): (readonly [name: string, text: string])[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const own = `${name}.${key}`
    if (typeof value === 'object' && value !== null) return textsOf(value, own)
    if (typeof value !== 'function') return []
    // One of the two is what it takes.
    const made = [1, '1'].flatMap((one) => {
      try {
        return [String(value(...Array.from({ length: value.length }, () => one)))]
      } catch {
        return []
      }
    })
    return made.length === 0 ? [] : [[own, made.find((text) => !isWrong(text)) ?? made[0]!] as const]
  })
}

test('one of something is never many', async () => {
  const files = (await readdir(textFolder)).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const modules: object[] = await Promise.all(files.map((name) => import(path.join(textFolder, name))))
  const texts = modules.flatMap((module, index) => textsOf(module, files[index]!))
  const wrong = texts.filter(([, text]) => isWrong(text))
  expect(texts.length).toBeGreaterThan(50)
  expect(wrong.map(([name, text]) => `${name}: ${text}`)).toEqual([])
})
