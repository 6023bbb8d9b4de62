import { test } from 'bun:test'
import { crashRounds } from './crash-rounds.ts'
import { expectSpansToSurvive } from './span-kills.ts'

const rounds = crashRounds({ each: 16, min: 2 })
const loadMsMax = 700
const roundMsMax = 120_000

test(
  `acknowledged spans survive ${rounds} kills`,
  () =>
    expectSpansToSurvive({ rounds }, async ({ client, all, random }, kill) => {
      const answered = Promise.withResolvers<void>()
      const loads = Promise.all(all.map((sender) => sender.run(client, () => answered.resolve())))
      await Promise.race([answered.promise.then(() => Bun.sleep(random.below(loadMsMax))), loads])
      await kill()
      await loads
    }),
  (rounds + 1) * roundMsMax,
)
