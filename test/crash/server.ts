/**
 * The server as run by `serve`, with one addition: after SIGUSR2 it flushes continuously, with
 * random pauses, and compacts now and then, so that a kill is likely to hit one or the other. Its
 * data files count as large, so that most deletions and updates wait.
 */
import process from 'node:process'
import { openGrpc } from '../../src/cli/start-server.ts'
import { MiB } from '../../src/lib/bytes.ts'
import { requestLimits } from '../../src/lib/limits/requests.ts'
import { storageLimits } from '../../src/lib/limits/storage.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { listen } from '../../src/runtime/http/http-listener.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createApp } from '../../src/server/app.ts'
import { openContext } from '../../src/server/context.ts'

const pauseMsMax = 25
const compactChance = 0.3
const flushAllChance = 0.2

Object.assign(storageLimits, {
  rewrittenFreelyBytesMax: 0,
  rewritesAtOnceBytesMax: 64 * 1024,
  ...(Math.random() < 0.5 && { rewrittenShareMin: 1 }),
})

const config = loadConfig()
const log = createLog(config.logLevel)
const context = await openContext(config, log)
const { grpc, ...app } = createApp(context)
const listener = listen({
  host: config.host,
  port: config.port,
  ...app,
  bodyBytesMax: Math.max(config.bodyBytesMax, config.fileBytesMax) + 16 * MiB,
  idleSeconds: requestLimits.connectionIdleSeconds,
  requestsMax: requestLimits.requestsMax,
})

const grpcListener = await openGrpc(config, grpc, log)

process.once('SIGUSR2', async () => {
  for (;;) {
    const mayWait = Math.random() > flushAllChance
    await context.store
      .flush({ retainIncomplete: true, mayWait })
      .catch((err: unknown) => log.error({ err }, 'flush failed'))
    if (Math.random() < compactChance)
      await context.store.compact().catch((err: unknown) => log.error({ err }, 'compaction failed'))
    await Bun.sleep(Math.random() * pauseMsMax)
  }
})

// Only now: without a handler the signal would end the process.
console.log(`listening on ${listener.url} · gRPC on ${grpcListener?.address} ·`)
