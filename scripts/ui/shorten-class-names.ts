import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** A class of a CSS module as Bun names it: its own name, and a hash of the path of its module. */
const inScript = /:"([A-Za-z][\w-]*)_([\w-]{6})"/g
const inStyles = /\.([A-Za-z][\w-]*)_([\w-]{6})(?![\w-])/g
const anywhere = /(?<![\w-])[A-Za-z][\w-]*_[\w-]{6}(?![\w-])/g

/** So many characters of the hash tell modules apart. */
const hashChars = 4

/**
 * Gives the classes of CSS modules short names in the scripts and styles of a folder: a part of the
 * hash and a letter. A name follows from the classes of its own module, which are in one script, so
 * that a file whose content is the same before has the same content after.
 *
 * @throws Error if two modules have the same part of the hash
 */
export async function shortenClassNames(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name)).sort()
  const texts = await Promise.all(
    files.map(async (name) => ({ name, text: await Bun.file(path.join(folder, name)).text() })),
  )
  const names = shortNames(texts)
  for (const { name, text } of texts) {
    const shorter = text.replaceAll(anywhere, (found) => names.get(found) ?? found)
    if (shorter !== text) await Bun.write(path.join(folder, name), shorter)
  }
}

/** Short names by the names that Bun gave. */
export function shortNames(files: readonly { readonly name: string; readonly text: string }[]): Map<string, string> {
  const styles = files.filter(({ name }) => name.endsWith('.css'))
  const scripts = files.filter(({ name }) => name.endsWith('.js'))
  const hashes = new Set(styles.flatMap(({ text }) => [...text.matchAll(inStyles)].map(([, , hash]) => hash)))
  const found = new Map<string, Set<string>>()
  for (const [, name = '', hash = ''] of [
    ...scripts.flatMap(({ text }) => [...text.matchAll(inScript)]),
    ...styles.flatMap(({ text }) => [...text.matchAll(inStyles)]),
  ]) {
    if (hashes.has(hash)) found.set(hash, (found.get(hash) ?? new Set()).add(name))
  }
  const taken = new Map<string, string>()
  const short = new Map<string, string>()
  for (const [hash, classes] of found) {
    const part = hash.slice(0, hashChars)
    const other = taken.get(part)
    if (other !== undefined) throw new Error(`Shorten class names: ${other} and ${hash} begin alike; raise hashChars`)
    taken.set(part, hash)
    for (const [index, name] of [...classes].entries()) short.set(`${name}_${hash}`, `_${part}${letters(index)}`)
  }
  return short
}

/** `a`, `b`, … `z`, `ba`, … */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26))) + String.fromCharCode(97 + (index % 26))
