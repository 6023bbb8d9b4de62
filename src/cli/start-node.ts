import type { KeptLease } from '../engine/lake/kept-lease.ts'
import type { LeaseWatch } from '../engine/lake/lease.ts'
import { type OpenedLake, openLake } from '../engine/lake/open-lake.ts'
import { PreparedLake } from '../engine/lake/prepared-lake.ts'
import { tables } from '../engine/tables/tables.ts'
import { toolLimits } from '../lib/limits/tools.ts'
import { version } from '../lib/version.ts'
import type { Config, LakeSettings } from '../runtime/config/configuration.ts'
import type { GrpcListener } from '../runtime/http/grpc-listener.ts'
import type { Log } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { exit, onTerminationSignal, onUncaughtError, writeStdout } from '../runtime/platform/runtime.ts'
import { createApp } from '../server/app.ts'
import { type Context, openContext } from '../server/context.ts'
import { handingOver, lostReason, NodeDoor, otherServes, storeAway } from '../server/node/node-door.ts'
import { HandOver, Successor } from './hand-over.ts'
import {
  addressesOf,
  browserAddress,
  description,
  type Listeners,
  listenHttp,
  listenOrClose,
  openGrpc,
  type RunningServer,
  stopListening,
} from './start-server.ts'
import { exitAfter } from './stop-node.ts'

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
  const early = await listenEarly(config, door, log, lake)
  onUncaughtError((err) => log.error({ err }, 'uncaught error'))
  const waiting = new AbortController()
  const prepared = new PreparedLake({ store, dataFolder: config.data, temporaryFolder: folder.temporaryFolder, tables })
  const successor = new Successor({ store, node, prepared, log })
  const watch = watching(door, log, successor)
  const acquiring = lake.lease(waiting.signal, watch)
  let lease: KeptLease | undefined
  let context: Context | undefined
  let stop = async (): Promise<void> => {
    waiting.abort()
    await stopListening(early, toolLimits.drainMs)
    // The signal may have come while it was granted.
    await (await acquiring)?.release()
    await folder.release()
  }
  let isHandedOver = false
  const isAway = () => !isHandedOver && lease?.state !== 'held'
  const unflushed = () => context?.store.size.memtableRows ?? 0
  onTerminationSignal((signal) => void exitAfter({ signal, log, stop: () => stop(), isAway, unflushed }))
  const timer = setTimeout(
    () =>
      writeStdout(`tracelake ${version} waiting on ${addressesOf(early)} · lake ${store.place}: ${watch.reason()}\n`),
    toolLimits.standbySaidMs,
  )
  const granted = await acquiring
  clearTimeout(timer)
  // A signal has ended the wait; its handler exits.
  if (granted === undefined || waiting.signal.aborted) return await new Promise<never>(() => {})
  lease = granted
  stop = async () => {
    await stopListening(early, 0)
    await granted.release()
  }
  void granted.lost.then(() => leave(lostReason))
  const leave = async (reason: string): Promise<void> => {
    door.leave(reason)
    log.fatal({ reason }, 'this node has to stop; once restarted, it is a standby')
    context?.services.live.close()
    await delay(toolLimits.lostFolderGraceMs)
    exit(1)
  }
  const grantedMs = performance.now()
  door.open()
  await successor.end()
  log.info({ node, lake: store.place }, 'taking over the lake')
  const logs = new Map<string, { readonly unflushed: number }>()
  const refusal = () =>
    granted.state === 'away' ? 'the object store does not answer; the server keeps trying' : undefined
  try {
    context = await openContext(config, log, systemClock, {
      store,
      node,
      folder,
      refusal,
      prepared,
      onReplaced: () => void leave(lostReason),
      logs,
      counts: { requests, lease: () => granted.state, logs },
    })
  } catch (cause) {
    await granted.release()
    throw cause
  }
  const opened = context
  opened.store.onLost((reason) => void leave(reason))
  onOpen(opened)
  const { grpc, announceGrpc, fetch } = createApp(opened)
  const close = () => closeNode(opened, granted)
  const grpcListener =
    early.grpcListener ?? (await listenOrClose(config, '--grpc-port', close, () => openGrpc(config, door.grpc, log)))
  if (grpcListener !== undefined) announceGrpc(grpcListener.address)
  const listeners: Listeners = { listener: early.listener, grpcListener }
  stop = async () => {
    const handOver = new HandOver({ store, lease: granted, log })
    // While it still serves, so that little is left to do once it does not.
    await opened.store.endUpkeep()
    await handOver.announce()
    await flushForOthers(opened)
    const hasSuccessor = await handOver.waitForSuccessor()
    const startedMs = performance.now()
    if (hasSuccessor) door.leave(handingOver)
    opened.services.live.close()
    if (hasSuccessor) {
      await door.drained(toolLimits.handOverDrainMs)
      try {
        // The next node replays what was not flushed.
        await opened.handOver()
      } finally {
        await granted.release()
        isHandedOver = true
      }
      log.info({ ms: Math.round(performance.now() - startedMs) }, 'handed over')
    }
    await stopListening(listeners, toolLimits.drainMs)
    // Tells how many entries of requests that were answered since are in no audit log.
    if (hasSuccessor) await opened.services.audit.close()
    await close()
  }
  const address = browserAddress(config, early.listener)
  door.serve({ fetch, grpc }, () => granted.state)
  log.info({ ms: Math.round(performance.now() - grantedMs) }, 'took over')
  await opened.store.announce(address)
  opened.store.replayLogs()
  opened.store.lake?.prefetch.start()
  return { context: opened, address, describe: () => description(opened, listeners, store.place) }
}

/**
 * Listens where the configuration says, so that an address that is taken is noticed at the start.
 * The usual port for gRPC is taken later: the node that serves may have it until then.
 */
async function listenEarly(config: Config, door: NodeDoor, log: Log, { folder }: OpenedLake): Promise<Listeners> {
  const release = () => folder.release()
  const listener = await listenOrClose(config, '--port', release, () => listenHttp(config, door))
  const close = async () => {
    await listener.stop(0)
    await release()
  }
  let grpcListener: GrpcListener | undefined
  if (config.grpcPort !== 'auto')
    grpcListener = await listenOrClose(config, '--grpc-port', close, () => openGrpc(config, door.grpc, log))
  return { listener, grpcListener }
}

/** Lets clients of a standby know why it waits, and the log when that changes. */
function watching(door: NodeDoor, log: Log, successor: Successor): LeaseWatch & { readonly reason: () => string } {
  let reason = otherServes
  const wait = (next: string): boolean => {
    const isNew = next !== reason
    reason = next
    door.wait(next)
    return isNew
  }
  return {
    reason: () => reason,
    onFailure: (err) => {
      if (wait(storeAway)) log.warn({ err }, 'the object store does not answer; waiting')
    },
    onHeld: (_node, isRenewed) => {
      if (wait(otherServes)) log.info('the object store answers again')
      if (isRenewed) successor.onRenewed()
    },
    onLate: () => successor.onLate(),
    onLeaving: (holder, leaving) => successor.onLeaving(holder, leaving),
  }
}

/** Flushes until little is left for the next node to replay, though more is written meanwhile. */
async function flushForOthers({ store, log }: Context): Promise<void> {
  for (let flushes = 1; flushes <= toolLimits.flushesBeforeHandOver; flushes++) {
    const beganMs = performance.now()
    await store.flush({ retainIncomplete: true }).catch((err: unknown) => log.warn({ err }, 'flush failed'))
    if (performance.now() - beganMs < toolLimits.flushIsShortMs) return
  }
}

/** Another node takes over as soon as the lease is given back, or once it expires. */
async function closeNode(context: Context, lease: KeptLease): Promise<void> {
  try {
    await context.close()
  } finally {
    await lease.release()
  }
}
