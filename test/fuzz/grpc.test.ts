import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { GrpcClient, tracesPath } from '../conformance/support/grpc.ts'
import { exportOf, groupOf, spanOf, toProtobuf } from '../conformance/support/otlp.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { Random, seedOf } from '../golden/random.ts'
import { brokenCall } from './grpc-frames.ts'

const calls = Number(Bun.env['TRACELAKE_FUZZ_CALLS'] ?? 1_000)
const growthMbMax = 300
/**
 * A damaged length makes the server wait for more; the client leaves this long after an intact call
 * that was sent at the same time was answered.
 */
const waitMsMax = 40
const atOnce = 20
const server = await ownServer()

test(`${calls} broken gRPC calls do not disturb the server`, async () => {
  const random = new Random(seedOf('broken calls'))
  const project = freshProject(server.client)
  const beside = freshProject(server.client).id
  const headers = { authorization: `Bearer ${server.adminKey}`, project_id: project.id }
  const grpc = new GrpcClient(server.grpcAddress)
  try {
    let residentAtQuarter = 0
    for (let done = 0; done < calls; done += atOnce) {
      const broken = Array.from({ length: atOnce }, () => {
        const message = toProtobuf(exportOf(groupOf([spanOf()])))
        return brokenCall(random, { path: tracesPath, headers, message })
      })
      const intact = grpc.call(toProtobuf(exportOf(groupOf([spanOf()]))), {
        metadata: { ...headers, project_id: beside },
      })
      await Promise.all(broken.map((bytes) => send(bytes, intact)))
      if (residentAtQuarter === 0 && done >= calls / 4) residentAtQuarter = await residentMb()
    }
    const grownMb = (await residentMb()) - residentAtQuarter
    console.log(`grown by ${grownMb.toFixed(0)} MB after the first quarter`)
    expect(grownMb).toBeLessThan(growthMbMax)
    const message = toProtobuf(exportOf(groupOf([spanOf({ name: 'valid' })])))
    expect(await grpc.call(message, { metadata: headers })).toMatchObject({ code: 0 })
    const names = (await project.query()).map(({ op_name }) => op_name)
    expect(names.length).toBeGreaterThan(calls / 50)
  } finally {
    grpc.close()
  }
}, 3_600_000)

/** Writes bytes, and waits until the server has closed the connection or had time to. */
function send(bytes: Uint8Array, answered: Promise<unknown>): Promise<void> {
  const [host, port] = server.grpcAddress.split(':') as [string, string]
  return new Promise((resolve) => {
    const socket = connect(Number(port), host, () => socket.write(bytes))
    let late: ReturnType<typeof setTimeout> | undefined
    const leaveSoon = () => {
      late = setTimeout(() => socket.destroy(), waitMsMax)
    }
    void answered.then(leaveSoon, leaveSoon)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve()
    })
    socket.resume()
  })
}

async function residentMb(): Promise<number> {
  const { text } = await server.client.get('/metrics')
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1e6
}
