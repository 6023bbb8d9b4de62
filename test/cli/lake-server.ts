import { join } from 'node:path'
import type { Client } from '../conformance/support/client.ts'
import { upload } from '../conformance/support/files.ts'
import { ProjectObjects } from '../conformance/support/objects.ts'
import { Project } from '../conformance/support/project.ts'
import { until } from '../conformance/support/until.ts'
import { ServerChild } from '../crash/server-child.ts'
import type { S3Server } from '../lake/s3-server.ts'
import { endedCalls } from './sample-calls.ts'

const adminKey = 'd'.repeat(40)

/** Ids of the calls that `fill` sends: the last one is only in the log. */
export const sampleIds = ['a', 'b', 'c']

/** A server of a lake, with a cache in a folder. */
export class LakeServer {
  readonly environment: Readonly<Record<string, string>>
  private readonly folder: string
  private child: ServerChild | undefined
  private client: Client | undefined

  constructor({ folder, store, lake }: { folder: string; store?: S3Server; lake: string }) {
    this.folder = folder
    this.environment = {
      HOME: folder,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_EC2_METADATA_DISABLED: 'true',
      ...(store !== undefined && { AWS_ENDPOINT_URL_S3: store.endpoint }),
    }
    this.lake = lake
  }

  private readonly lake: string

  async start(): Promise<Client> {
    const env = { ...this.environment, TRACELAKE_LAKE: this.lake }
    this.child = new ServerChild({ kind: 'plain', data: join(this.folder, 'node-cache'), adminKey, env })
    this.client = await this.child.listening()
    return this.client
  }

  /** Two calls in files, one in the log, an object, and the content of a file. */
  async fill(): Promise<void> {
    await this.send(['a', 'b'])
    const project = new Project(this.asked, 'acme', 'one')
    await upload(project, { content: 'hello' })
    await new ProjectObjects(this.asked, project.id).create('prompt', 'text')
    await this.flush()
    await this.send(['c'])
  }

  async send(ids: readonly string[], project_id = 'acme/one'): Promise<void> {
    const batch = endedCalls(ids, 40).map((call) => ({ ...call, project_id }))
    await this.post(`/v2/${project_id}/calls/complete`, { batch })
  }

  async flush(): Promise<void> {
    await this.post('/flush', {})
  }

  async stop(): Promise<number | undefined> {
    return await this.child?.stop()
  }

  async kill(): Promise<void> {
    await this.child?.kill()
  }

  private get asked(): Client {
    if (this.client === undefined) throw new Error('The server has not been started')
    return this.client
  }

  /** On a slow machine a node may renew its lease late, and answers 503 until then. */
  private async post(path: string, body: object): Promise<void> {
    let answer: { status: number; text: string } | undefined
    await until(async () => {
      answer = await this.asked.post(path, body)
      return answer.status !== 503
    })
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`)
  }
}
