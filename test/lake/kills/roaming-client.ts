import { type Answer, Client, type RequestOptions } from '../../conformance/support/client.ts'

/** How long a node may take to say that it serves; one that is paused says nothing. */
const healthMs = 5_000
/** How often it is asked while there is no answer to a request. */
const askedMs = 100
const pauseMs = 25

/** A node that cannot accept it now, or still performs an earlier attempt. */
const isPassing = ({ status, text }: Answer<unknown>): boolean =>
  status === 503 || (status === 409 && text.includes('RepeatedTooEarly'))

/** How long one or more requests were refused or not answered, and how long until they were. */
export interface Wait {
  readonly refusedMs: number
  readonly answeredMs: number
}

/** The longest waits of requests that were refused or not answered at first. */
export class Waits {
  private longest: Wait = { refusedMs: 0, answeredMs: 0 }

  note({ refusedMs, answeredMs }: Wait): void {
    this.longest = {
      refusedMs: Math.max(this.longest.refusedMs, refusedMs),
      answeredMs: Math.max(this.longest.answeredMs, answeredMs),
    }
  }

  /** What was noted since this was last asked. */
  take(): Wait {
    const { longest } = this
    this.longest = { refusedMs: 0, answeredMs: 0 }
    return longest
  }
}

/**
 * A client of several nodes, as behind a load balancer: it repeats each request, at one node after
 * the other, until a node has accepted it.
 */
export class RoamingClient extends Client {
  private readonly nodes: readonly Client[]
  private readonly waits: Waits
  private readonly pace: () => number
  private current = 0
  private isOver = false

  /** @param pace the pause before each request, in milliseconds */
  constructor(addresses: readonly string[], key: string, waits: Waits, pace: () => number = () => 0) {
    super(addresses[0]!, key)
    this.nodes = addresses.map((address) => new Client(address, key))
    this.waits = waits
    this.pace = pace
  }

  override withKey(key: string): Client {
    return new RoamingClient(
      this.nodes.map(({ address }) => address),
      key,
      this.waits,
      this.pace,
    )
  }

  /** Further requests fail; those underway go on until they are accepted. */
  end(): void {
    this.isOver = true
  }

  override async send<T>(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | null,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    await Bun.sleep(this.pace())
    if (this.isOver) throw new Error('The load is over')
    const beganMs = performance.now()
    for (let attempt = 1; ; attempt++) {
      const refusedMs = performance.now() - beganMs
      const answer = await this.attempt<T>(method, path, body, options)
      if (answer !== undefined && !isPassing(answer)) {
        if (attempt > 1) this.waits.note({ refusedMs, answeredMs: performance.now() - beganMs })
        return answer
      }
      this.current = (this.current + 1) % this.nodes.length
      await Bun.sleep(pauseMs)
    }
  }

  /** @returns undefined if the node stops serving; it may still perform the request */
  private async attempt<T>(...request: Parameters<Client['send']>): Promise<Answer<T> | undefined> {
    const node = this.nodes[this.current]!
    let isOver = false
    const answer = node
      .send<T>(...request)
      .catch((error: Error) => {
        if (error.message.includes('does not declare')) throw error
        return undefined
      })
      .finally(() => {
        isOver = true
      })
    const watch = async () => {
      do await Bun.sleep(askedMs)
      while (!isOver && (await serves(node)))
      return undefined
    }
    return await Promise.race([answer, watch()])
  }
}

/** As a load balancer finds out. */
async function serves(node: Client): Promise<boolean> {
  const late = Bun.sleep(healthMs).then(() => undefined)
  const answer = await Promise.race([node.get('/health').catch(() => undefined), late])
  return answer?.status === 200
}
