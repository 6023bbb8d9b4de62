import { test } from 'bun:test'
import { crashRounds } from './crash-rounds.ts'
import { expectSpansToSurvive } from './span-kills.ts'

const rounds = crashRounds({ each: 16, min: 2 })
/** Exports of each sender before the kill: a thread is ready long before the last of them. */
const exportsMin = 30
const roundMsMax = 120_000
/** Large enough that a thread decodes, maps and encodes the export. */
const paddingBytes = 50_000

test(
  'spans that threads prepare survive kill -9 once acknowledged',
  () =>
    expectSpansToSurvive({ rounds, paddingBytes }, async ({ client, all }, kill) => {
      const enough = Promise.withResolvers<void>()
      const loads = all.map((sender) =>
        sender.run(client, (sent) => {
          if (sent === exportsMin) enough.resolve()
        }),
      )
      await Promise.race([enough.promise, Promise.all(loads)])
      await kill()
      await Promise.all(loads)
    }),
  (rounds + 1) * roundMsMax,
)
