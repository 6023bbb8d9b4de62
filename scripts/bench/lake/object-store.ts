import path from 'node:path'
import type { Subprocess } from 'bun'

/** The server is that of the tests. */
const program = path.join(import.meta.dir, '../../../test/lake/store-program.ts')

/** An S3 server in a process of its own, so that its processor time is not that of the node. */
export class BenchObjectStore implements AsyncDisposable {
  /** Settings of a server that keeps its data there. */
  readonly env: Readonly<Record<string, string>> & { readonly TRACELAKE_LAKE: string }
  private readonly child: Subprocess
  private readonly answers: AnswerQueue

  private constructor(child: Subprocess, answers: AnswerQueue, endpoint: string) {
    this.child = child
    this.answers = answers
    this.env = {
      TRACELAKE_LAKE: 's3://lake/bench',
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
    }
  }

  /** @param delayMs of each answer */
  static async start(delayMs = 0): Promise<BenchObjectStore> {
    const answers = new AnswerQueue()
    const child = Bun.spawn([process.execPath, program, String(delayMs)], {
      ipc: (message) => answers.add(message),
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const { endpoint } = await answers.next()
    return new BenchObjectStore(child, answers, String(endpoint))
  }

  /** Requests since the start, by kind. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    this.child.send('counts')
    const { counts } = await this.answers.next()
    return new Map(Object.entries(counts ?? {}))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill()
    await this.child.exited
  }
}

interface Answer {
  readonly endpoint?: string
  readonly counts?: Record<string, number>
}

class AnswerQueue {
  private readonly waiting: ((answer: Answer) => void)[] = []

  add(answer: Answer): void {
    this.waiting.shift()?.(answer)
  }

  next(): Promise<Answer> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}
