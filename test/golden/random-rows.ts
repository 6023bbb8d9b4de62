import type { DataRow } from './evaluator.ts'
import type { Fixture } from './fixture.ts'
import type { Random } from './random.ts'
import { type Json, print, randomJson, randomObject, texts } from './random-json.ts'

/** Calls with cells as varied as their columns allow. */
export const randomRows = (random: Random, count: number): DataRow[] =>
  Array.from({ length: count }, (_, index) => {
    const maybe = <T>(value: T): T | null => (random.below(3) === 0 ? null : value)
    return {
      id: `call-${index}`,
      op_name: random.pick(texts),
      parent_id: maybe(random.pick(texts)),
      display_name: maybe(random.pick(texts)),
      exception: maybe(random.pick(texts)),
      ext_run_step: maybe(random.pick([-3, 0, 1, 5, 255, 2 ** 53 - 1])),
      started_at: random.pick([-3, 0, 1, 1.5, 5, 100, 1_714_557_600.25]),
      ended_at: maybe(random.pick([0, 1.5, 100, 1_714_557_601])),
      input_refs: maybe([random.pick(texts), random.pick(texts)]),
      inputs: randomObject(random, 3),
      output: randomJson(random, 3),
    }
  })

export async function insertAll(fixture: Fixture, rows: readonly DataRow[]): Promise<void> {
  for (const row of rows) {
    const time = (seconds: unknown) => (seconds === null ? null : new Date((seconds as number) * 1000).toISOString())
    const { inputs, output, started_at, ended_at, ...cells } = row
    const times = { started_at: time(started_at), ended_at: time(ended_at) }
    await fixture.insert({
      ...cells,
      ...times,
      inputs: print(inputs as Json),
      output: output === null ? null : print(output as Json),
    })
  }
}
