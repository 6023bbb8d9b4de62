/** The name that a misspelt one most likely means: at most two edits away. */
export function similarName(misspelt: string, names: readonly string[]): string | undefined {
  const close = names
    .map((name) => ({ name, edits: editsBetween(misspelt.toLowerCase(), name) }))
    .filter(({ name, edits }) => edits <= Math.min(2, name.length - 2))
  return close.sort((a, b) => a.edits - b.edits)[0]?.name
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
