/** The candidate that takes the fewest edits to reach (Levenshtein distance); candidates are not empty. */
export function nearest(text: string, candidates: readonly string[]): string {
  let best = candidates[0]!
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const edits = distance(text.slice(0, 64), candidate)
    if (edits < fewest) {
      best = candidate
      fewest = edits
    }
  }
  return best
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
