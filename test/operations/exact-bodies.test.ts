import { expect, test } from 'bun:test'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { parseJson } from '../../src/formats/wire/json-body.ts'
import { outlineJson } from '../../src/formats/wire/large-json/read-large-json.ts'
import { describeRoutes } from '../../src/server/description/openapi.ts'
import { RequestMetrics } from '../../src/server/metrics/request-metrics.ts'
import type { DescribedRoute } from '../../src/server/requests/operation.ts'
import { ServedOperation } from '../../src/server/requests/served-operation.ts'
import { exactObject } from '../conformance/exact-numbers/exact-json.ts'
import { freeMembersOf } from '../conformance/exact-numbers/free-members.ts'
import { openFuzzApp } from '../fuzz/fuzz-app.ts'
import { operationsOver } from './all-operations.ts'

const { context } = await openFuzzApp()
const operations = operationsOver(context)

const placeOf = (route: DescribedRoute) => new ServedOperation(route, new RequestMetrics()).place

/** The text of the least body that has an exact object at a place such as `batch.[].inputs`. */
function bodyWith(place: string): string {
  const [step, ...rest] = place === '' ? [] : place.split('.')
  if (step === undefined) return exactObject('free')
  const inner = bodyWith(rest.join('.'))
  return step === '[]' ? `[${inner}]` : `{"${step === '*' ? 'any' : step}":${inner}}`
}

/** Splits nearly every array and object. */
const bounds = { depthMax: 50, runBytes: 16, valueBytesMax: 1e6, reorderedMembersMax: 1000 }

test.each(['ext', 'weave'] as const)(
  'every body keeps numbers where its schema allows any JSON, dialect %s',
  async (name) => {
    const dialect = dialects[name]
    const routes = operations(dialect)
    const byTemplate = new Map(
      routes.map((route) => [`${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`, route]),
    )
    // The whole body of these is in OpenTelemetry's encoding.
    const free = freeMembersOf(describeRoutes(routes, dialect)).filter((member) => !member.includes('/otel/v1/'))
    expect(free.length).toBeGreaterThan(60)
    const changed: string[] = []
    for (const member of free) {
      const [method, template, place = ''] = member.split(' ') as [string, string, string?]
      const route = byTemplate.get(`${method} ${template}`) as DescribedRoute
      const text = bodyWith(place)
      const root = placeOf(route)
      const whole = JSON.stringify(parseJson(text, 50, root))
      const pieces = JSON.stringify(await (await outlineJson(new TextEncoder().encode(text), bounds)).parse(root))
      for (const printed of [whole, pieces]) if (printed !== text) changed.push(`${member}: ${printed}`)
    }
    expect(changed).toEqual([])
  },
)

test('the schema of every body says of each member whether it is a number', () => {
  for (const dialect of Object.values(dialects)) {
    for (const route of operations(dialect)) expect(() => placeOf(route)).not.toThrow()
  }
})
