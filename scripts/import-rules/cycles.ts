/**
 * One cycle for each edge that closes one in a depth-first walk, as the nodes along it with the first repeated at the end. A graph
 * without cycles gives none; one with cycles gives at least one.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const finished = new Set<string>()
  const path: string[] = []
  const cycles: string[][] = []

  const visit = (node: string): void => {
    const start = path.indexOf(node)
    if (start >= 0) {
      cycles.push([...path.slice(start), node])
      return
    }
    if (finished.has(node)) return
    path.push(node)
    for (const next of edges.get(node) ?? []) visit(next)
    path.pop()
    finished.add(node)
  }

  for (const node of edges.keys()) visit(node)
  return cycles
}
