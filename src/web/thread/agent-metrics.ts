/** A total of `/metrics/stats`, by metric and by the attribute `type` of its data points. */
export interface MetricTotal {
  readonly metric: string
  readonly group: Readonly<Record<string, unknown>>
  readonly sum: number | null
}

/** What a coding agent has counted in a session; undefined for figures that it did not send. */
export interface AgentFigures {
  readonly cost: number | undefined
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedTokens: number | undefined
  readonly cacheWriteTokens: number | undefined
  readonly linesAdded: number | undefined
  readonly linesRemoved: number | undefined
  readonly commits: number | undefined
  readonly pullRequests: number | undefined
  readonly activeMs: number | undefined
}

/** Field by whose values the totals are divided. */
export const typeField = 'attributes.type'

const costs = ['claude_code.cost.usage']
const tokens = ['claude_code.token.usage', 'gemini_cli.token.usage']
const lines = ['claude_code.lines_of_code.count', 'gemini_cli.lines.changed']
const commits = ['claude_code.commit.count']
const pullRequests = ['claude_code.pull_request.count']
const activeTimes = ['claude_code.active_time.total']

/** Names of the metrics from which the figures are taken. */
export const agentMetrics: readonly string[] = [
  ...costs,
  ...tokens,
  ...lines,
  ...commits,
  ...pullRequests,
  ...activeTimes,
]

/** The figures of a session; undefined if it has none. */
export function agentFigures(totals: readonly MetricTotal[]): AgentFigures | undefined {
  const sumOf = (names: readonly string[], types?: readonly string[]): number | undefined => {
    const found = totals.filter(
      ({ metric, group, sum }) =>
        sum !== null && names.includes(metric) && (types === undefined || types.includes(String(group[typeField]))),
    )
    return found.length === 0 ? undefined : found.reduce((all, { sum }) => all + (sum ?? 0), 0)
  }
  const activeSeconds = sumOf(activeTimes)
  const figures: AgentFigures = {
    cost: sumOf(costs),
    inputTokens: sumOf(tokens, ['input']),
    outputTokens: sumOf(tokens, ['output']),
    cachedTokens: sumOf(tokens, ['cacheRead', 'cache']),
    cacheWriteTokens: sumOf(tokens, ['cacheCreation']),
    linesAdded: sumOf(lines, ['added']),
    linesRemoved: sumOf(lines, ['removed']),
    commits: sumOf(commits),
    pullRequests: sumOf(pullRequests),
    activeMs: activeSeconds === undefined ? undefined : activeSeconds * 1_000,
  }
  return Object.values(figures).some((figure) => figure !== undefined) ? figures : undefined
}
