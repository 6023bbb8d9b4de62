import { test } from 'bun:test'
import process from 'node:process'
import { expectSpansToSurvive } from './span-kills.ts'

const rounds = Math.max(1, Math.ceil(Number(process.env['TRACELAKE_CRASH_ROUNDS'] ?? 32) / 16))
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
