import { expect, test } from 'bun:test'
import { formatFilter } from '../../filter/format-filter.ts'
import { parseFilter } from '../../filter/parse-filter.ts'
import { writeTimeRange } from '../../filter/time-range.ts'
import { readSearch, writeSearch } from '../../state/search-text.ts'
import { writeColumns } from '../../table/columns/columns.ts'
import { writeSort } from '../../table/columns/sort.ts'
import { tracesUrl } from '../../table/traces-url.ts'

/** Addresses that people may have kept, with what they must go on meaning. Only ever add lines. */
const corpus: readonly (readonly [search: string, meaning: string])[] = [
  ['', ' | all |  | -started |  | false'],
  ['?f=latency>5s+and+inputs.user="ann"', 'latency > 5s and inputs.user = "ann" | all |  | -started |  | false'],
  ['?f=status:error&t=-24h', 'status = error | -24h |  | -started |  | false'],
  ['?t=-7d&s=-latency', ' | -7d |  | -latency |  | false'],
  [
    '?t=2026-11-21T14:12Z..2026-11-22T14:12Z&b=2026-11-22T06:52Z..2026-11-22T11:12Z',
    ' | 2026-11-21T14:12Z..2026-11-22T14:12Z | 2026-11-22T06:52Z..2026-11-22T11:12Z | -started |  | false',
  ],
  [
    '?c=op:160!,input,inputs.user.tier:90,cost',
    ' | all |  | -started | op:160!,input,inputs.user.tier:90,cost | false',
  ],
  ['?live=1&s=latency', ' | all |  | latency |  | true'],
  [
    '?f=op+in+("a",+"b%26c")+or+not+(size(inputs.m)>3)',
    'op in ("a", "b&c") or not size(inputs.m) > 3 | all |  | -started |  | false',
  ],
  ['?f="50%25+off"+output+contains+"größe"', '"50% off" and output contains "größe" | all |  | -started |  | false'],
  ['?t=nonsense&b=-24h&s=-&c=', ' | all |  | -started |  | false'],
]

test.each(corpus)('%p', (search, meaning) => {
  const { f, t, b, s, c, live } = readSearch(tracesUrl, search)
  const shown = [
    formatFilter(parseFilter(f)),
    writeTimeRange(t),
    b ? writeTimeRange(b) : '',
    writeSort(s),
    c ? writeColumns(c) : '',
    String(live),
  ]
  expect(shown.join(' | ')).toBe(meaning)
  const again = writeSearch(tracesUrl, '', { f, t, b, s, c, live })
  expect(readSearch(tracesUrl, again)).toEqual(readSearch(tracesUrl, search))
})
