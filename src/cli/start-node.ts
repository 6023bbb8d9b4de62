import type { KeptLease } from '../engine/lake/kept-lease.ts'
import { openLake } from '../engine/lake/open-lake.ts'
import { toolLimits } from '../lib/limits/tools.ts'
import { version } from '../lib/version.ts'
import type { Config, LakeSettings } from '../runtime/config/configuration.ts'
import type { Log } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { exit, onTerminationSignal, onUncaughtError, writeStdout } from '../runtime/platform/runtime.ts'
import { createApp } from '../server/app.ts'
import { type Context, openContext } from '../server/context.ts'
import { lostReason, NodeDoor } from '../server/node/node-door.ts'
import {
  browserAddress,
  description,
  type Listeners,
  listenHttp,
  listenOrClose,
  openGrpc,
  type RunningServer,
  stopListening,
} from './start-server.ts'

/**
 * Starts a node of a lake: it listens at once, and serves when it has the lease. A node that loses
 * it exits: see docs/decisions/287-nodes-of-a-lake.md.
 *
 * @throws ConfigError, DataFolderError if somebody has to do something
 */
export async function startNode(
  config: Config,
  settings: LakeSettings,
  log: Log,
  onOpen: (context: Context) => void,
): Promise<RunningServer> {
  const lake = await openLake(settings, { dataFolder: config.data, clock: systemClock, log })
  const { store, requests, node, folder } = lake
  const door = new NodeDoor(log)
  const listener = await listenOrClose(
    config,
    '--port',
    () => folder.release(),
    () => listenHttp(config, door),
  )
  onUncaughtError((err) => log.error({ err }, 'uncaught error'))
  const waiting = new AbortController()
  const acquiring = lake.lease(waiting.signal)
  let stop = async (): Promise<void> => {
    waiting.abort()
    await listener.stop(toolLimits.drainMs)
    // The signal may have come while it was granted.
    const granted = await acquiring
    if (granted !== undefined) await giveBack(granted, log)
    await folder.release()
  }
  onTerminationSignal((signal) => void exitAfter(signal, log, () => stop()))
  const timer = setTimeout(
    () => writeStdout(`tracelake ${version} waiting on ${listener.url} · another node serves ${store.place}\n`),
    toolLimits.standbySaidMs,
  )
  const lease = await acquiring
  clearTimeout(timer)
  // A signal has ended the wait; its handler exits.
  if (lease === undefined || waiting.signal.aborted) return await new Promise<never>(() => {})
  stop = async () => {
    await listener.stop(0)
    await giveBack(lease, log)
  }
  void lease.lost.then(() => leave(lostReason))
  let context: Context | undefined
  const leave = async (reason: string): Promise<void> => {
    door.leave(reason)
    log.fatal({ reason }, 'this node has to stop; once restarted, it is a standby')
    context?.services.live.close()
    await delay(toolLimits.lostFolderGraceMs)
    exit(1)
  }
  door.open()
  log.info({ node, lake: store.place }, 'taking over the lake')
  const logs = new Map<string, { readonly unflushed: number }>()
  const refusal = () =>
    lease.state === 'away' ? 'the object store does not answer; the server keeps trying' : undefined
  try {
    context = await openContext(config, log, systemClock, {
      store,
      node,
      folder,
      refusal,
      onReplaced: () => void leave(lostReason),
      logs,
      counts: { requests, lease: () => lease.state, logs },
    })
  } catch (cause) {
    await giveBack(lease, log)
    throw cause
  }
  const opened = context
  opened.store.onLost((reason) => void leave(reason))
  onOpen(opened)
  const { grpc, announceGrpc, fetch } = createApp(opened)
  const close = () => closeNode(opened, lease, log)
  const grpcListener = await listenOrClose(config, '--grpc-port', close, () => openGrpc(config, grpc, log))
  if (grpcListener !== undefined) announceGrpc(grpcListener.address)
  const listeners: Listeners = { listener, grpcListener }
  stop = async () => {
    // While it still serves, so that little is left to do once it does not.
    await opened.store.endUpkeep()
    await opened.store.flush({ retainIncomplete: true }).catch((err: unknown) => log.warn({ err }, 'flush failed'))
    opened.services.live.close()
    await stopListening(listeners, toolLimits.drainMs)
    await close()
  }
  const address = browserAddress(config, listener)
  await opened.store.announce(address)
  opened.store.replayLogs()
  opened.store.lake?.prefetch.start()
  door.serve(fetch, () => lease.state)
  return { context: opened, address, describe: () => description(opened, listeners, store.place) }
}

/** Another node takes over as soon as the lease is given back, or once it expires. */
async function closeNode(context: Context, lease: KeptLease, log: Log): Promise<void> {
  try {
    await context.close()
  } finally {
    await giveBack(lease, log)
  }
}

const giveBack = (lease: KeptLease, log: Log): Promise<void> =>
  lease
    .release()
    .catch((err: unknown) => log.warn({ err }, 'could not give the lease back; other nodes wait until it expires'))

async function exitAfter(signal: string, log: Log, stop: () => Promise<void>): Promise<void> {
  log.info({ signal }, 'shutting down')
  try {
    await stop()
    log.info('stopped')
    exit(0)
  } catch (err) {
    log.error({ err }, 'shutdown failed; accepted writes are in the log of the lake')
    exit(1)
  }
}
