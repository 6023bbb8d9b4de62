import { until } from '../../conformance/support/until.ts'
import type { Random } from '../../store/random.ts'
import type { SupervisedNode } from './node-pair.ts'

/** A lease lasts for three seconds without being renewed. */
const leaseMs = 3_000

interface Around {
  readonly owner: SupervisedNode
  readonly standby: SupervisedNode
  readonly random: Random
}

/** Something that happens to nodes under load. */
export interface Event {
  readonly name: string
  readonly kills: number
  /** Pauses that are longer than a lease lasts. */
  readonly pauses: number
  readonly weight: number
  run(around: Around): Promise<void>
}

const serves = async (node: SupervisedNode): Promise<boolean> => (await node.standing()) === 'serving'

/** Whether one of them, even one that was started again, has begun to take over. */
async function takesOver(...nodes: readonly SupervisedNode[]): Promise<boolean> {
  const standings = await Promise.all(nodes.map((node) => node.standing()))
  return standings.some((standing) => standing === 'opening' || standing === 'serving')
}

async function paused(node: SupervisedNode, meanwhile: () => Promise<void>): Promise<void> {
  node.pause()
  try {
    await meanwhile()
  } finally {
    node.resume()
  }
}

const events: readonly Event[] = [
  {
    name: 'owner killed',
    kills: 1,
    pauses: 0,
    weight: 8,
    run: async ({ owner }) => owner.kill(),
  },
  {
    name: 'standby killed',
    kills: 1,
    pauses: 0,
    weight: 2,
    run: async ({ standby }) => standby.kill(),
  },
  {
    name: 'both killed',
    kills: 2,
    pauses: 0,
    weight: 3,
    run: async ({ owner, standby }) => {
      owner.kill()
      standby.kill()
    },
  },
  {
    name: 'owner killed, and the next one while it takes over',
    kills: 2,
    pauses: 0,
    weight: 4,
    run: async ({ owner, standby, random }) => {
      owner.kill()
      await Bun.sleep(leaseMs / 2)
      await until(() => takesOver(owner, standby))
      await Bun.sleep(random.below(400))
      standby.kill()
    },
  },
  {
    name: 'owner killed while it hands over',
    kills: 1,
    pauses: 0,
    weight: 2,
    run: async ({ owner, random }) => {
      owner.stop()
      await Bun.sleep(random.below(200))
      owner.kill()
    },
  },
  {
    name: 'handed over',
    kills: 0,
    pauses: 0,
    weight: 2,
    run: async ({ owner }) => {
      const life = owner.lives
      owner.stop()
      await owner.replaced(life)
    },
  },
  {
    name: 'owner paused for less than its lease',
    kills: 0,
    pauses: 0,
    weight: 1,
    run: ({ owner, random }) => paused(owner, () => Bun.sleep(random.below(leaseMs))),
  },
  {
    name: 'owner paused until it is replaced',
    kills: 0,
    pauses: 1,
    weight: 5,
    run: async ({ owner, standby, random }) => {
      const life = owner.lives
      await paused(owner, async () => {
        await until(() => serves(standby))
        await Bun.sleep(random.below(2_000))
      })
      await owner.replaced(life)
    },
  },
  {
    name: 'owner paused for about as long as its lease lasts',
    kills: 0,
    pauses: 1,
    weight: 3,
    run: ({ owner, random }) => paused(owner, () => Bun.sleep(leaseMs + random.below(700))),
  },
  {
    name: 'owner paused, and the next one killed',
    kills: 1,
    pauses: 1,
    weight: 2,
    run: ({ owner, standby, random }) =>
      paused(owner, async () => {
        await until(() => takesOver(standby))
        await Bun.sleep(random.below(600))
        standby.kill()
        await Bun.sleep(random.below(2_000))
      }),
  },
  {
    name: 'standby paused, and the owner killed',
    kills: 1,
    pauses: 1,
    weight: 2,
    run: async ({ owner, standby, random }) => {
      await paused(standby, async () => {
        owner.kill()
        await Bun.sleep(leaseMs + random.below(3_000))
      })
    },
  },
]

/** Events in random order, with so many kills and pauses at least; or so many that are named. */
export function planOf(kills: number, pauses: number, random: Random, only?: string): Event[] {
  const plan: Event[] = []
  const sum = (what: 'kills' | 'pauses') => plan.reduce((total, event) => total + event[what], 0)
  const pick = (holds: (event: Event) => boolean) => {
    const choices = events.filter(holds).flatMap((event) => Array.from({ length: event.weight }, () => event))
    plan.push(random.pick(choices))
  }
  if (only !== undefined) while (plan.length < kills + pauses) pick(({ name }) => name.includes(only))
  while (sum('kills') < kills && sum('pauses') < pauses && only === undefined) pick(() => true)
  while (sum('kills') < kills && only === undefined) pick((event) => event.kills > 0 && event.pauses === 0)
  while (sum('pauses') < pauses && only === undefined) pick((event) => event.pauses > 0)
  return plan
}
