import { expect, test } from 'bun:test'
import { type MetricTotal, sessionTotals } from './thread-metrics.tsx'

const total = (metric: string, sum: number | null, type: string | null = null): MetricTotal => ({
  metric,
  group: { 'attributes.type': type },
  sum,
})

test('the metrics of a session of Claude Code become its figures', () => {
  const figures = sessionTotals([
    total('claude_code.cost.usage', 0.42),
    total('claude_code.token.usage', 1_200, 'input'),
    total('claude_code.token.usage', 340, 'output'),
    total('claude_code.token.usage', 56_000, 'cacheRead'),
    total('claude_code.token.usage', 7_000, 'cacheCreation'),
    total('claude_code.lines_of_code.count', 120, 'added'),
    total('claude_code.lines_of_code.count', 14, 'removed'),
    total('claude_code.commit.count', 2),
    total('claude_code.active_time.total', 60, 'user'),
    total('claude_code.active_time.total', 125, 'cli'),
  ])
  expect(figures).toEqual({
    cost: 0.42,
    inputTokens: 1_200,
    outputTokens: 340,
    cachedTokens: 56_000,
    cacheWriteTokens: 7_000,
    linesAdded: 120,
    linesRemoved: 14,
    commits: 2,
    pullRequests: undefined,
    activeMs: 185_000,
  })
})

test('the metrics of a session of Gemini CLI become its figures', () => {
  const figures = sessionTotals([
    total('gemini_cli.token.usage', 1_200, 'input'),
    total('gemini_cli.token.usage', 400, 'cache'),
    total('gemini_cli.token.usage', 90, 'thought'),
    total('gemini_cli.lines.changed', 3, 'added'),
  ])
  expect(figures).toMatchObject({ cost: undefined, inputTokens: 1_200, cachedTokens: 400, linesAdded: 3 })
})

test('a session without such metrics has no figures', () => {
  expect(sessionTotals([])).toBeUndefined()
  expect(sessionTotals([total('claude_code.session.count', 1), total('claude_code.cost.usage', null)])).toBeUndefined()
})
