/**
 * One cycle for each edge that closes one in a depth-first walk, as the nodes along it with the
 * first repeated at the end. A graph without cycles gives none; one with cycles gives at least one.
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

/**
 * The knots of a graph: its strongly connected components of two nodes or more, each sorted.
 * However many cycles run through the same nodes, they are one knot.
 */
export function findKnots(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const knots: string[][] = []

  // Tarjan's algorithm (SIAM Journal on Computing 1972, "Depth-first search and linear graph
  // algorithms").
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    onStack.add(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      else if (!onStack.has(next)) continue
      lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== order.get(node)) return
    const knot = stack.splice(stack.indexOf(node))
    for (const each of knot) onStack.delete(each)
    if (knot.length > 1) knots.push(knot.sort())
  }

  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return knots
}
