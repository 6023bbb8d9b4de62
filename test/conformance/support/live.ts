import { basic } from './client.ts'
import type { Project } from './project.ts'

export interface LiveEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Record<string, unknown>
}

/** A listener to `/calls/live`. */
export class LiveListener {
  readonly response: Response
  private readonly reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>
  private readonly decoder = new TextDecoder()
  private text = ''

  private constructor(response: Response) {
    this.response = response
    this.reader = response.body!.getReader()
  }

  /**
   * Connects, and waits until the stream has begun.
   * @throws if the server rejects the request
   */
  static async connect(
    project: Project,
    { lastEventId, ...query }: { lastEventId?: string | undefined; [name: string]: string | undefined } = {},
  ): Promise<LiveListener> {
    const response = await requestLive(project, query, lastEventId)
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    const listener = new LiveListener(response)
    while (!listener.text.includes('\n\n')) await listener.readOn()
    listener.text = listener.text.slice(listener.text.indexOf('\n\n') + 2)
    return listener
  }

  /** The next event; comments are passed over. Undefined where the stream has ended. */
  async next(): Promise<LiveEvent | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n')
      if (end < 0) {
        if (!(await this.readOn())) return undefined
        continue
      }
      const block = this.text.slice(0, end)
      this.text = this.text.slice(end + 2)
      const lines = new Map(block.split('\n').map((line) => splitLine(line)))
      const event = lines.get('event')
      if (event !== undefined) return { event, id: lines.get('id'), data: JSON.parse(lines.get('data')!) }
    }
  }

  /** The next events, as `start a`. */
  async take(count: number): Promise<string[]> {
    const found: string[] = []
    while (found.length < count) {
      const event = await this.next()
      if (event === undefined) throw new Error(`The stream ended after ${found.join(', ')}`)
      found.push(`${event.event} ${event.data['id']}`)
    }
    return found
  }

  async close(): Promise<void> {
    await this.reader.cancel()
  }

  private async readOn(): Promise<boolean> {
    const { value, done } = await this.reader.read()
    if (value !== undefined) this.text += this.decoder.decode(value, { stream: true })
    return !done
  }
}

export function requestLive(
  project: Project,
  query: Record<string, string | undefined> = {},
  lastEventId?: string,
): Promise<Response> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const parameters = new URLSearchParams([['project_id', project.id], ...given])
  const headers: Record<string, string> = { authorization: basic('api', project.client.key) }
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
  return fetch(`${project.client.address}/calls/live?${parameters}`, { headers })
}

function splitLine(line: string): [string, string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
