import { rmSync } from 'node:fs'
import { DomainError } from '../../../src/lib/errors.ts'
import { Random } from '../../store/random.ts'
import { unmountAll } from '../files/disks.ts'
import type { Canary, Plan } from '../files/faulty-disk.ts'
import type { Report } from '../report.ts'
import { orHang, TorturedStore } from './tortured-store.ts'

const faultsPerStore = 8
const operationsMax = 120
const codes = ['ENOSPC', 'ENOSPC', 'EIO', 'EIO', 'EDQUOT', 'EROFS', 'EMFILE'] as const
const recoveryMsMax = 30_000

/** One store through several faults of its disk, one after the other. */
export class FaultRound {
  private readonly seed: number
  private readonly random: Random
  private readonly subject: TorturedStore
  private readonly report: Report
  private readonly canary: Canary | undefined

  constructor(seed: number, report: Report, canary?: Canary) {
    this.seed = seed
    this.report = report
    this.canary = canary
    this.random = new Random(seed)
    this.subject = new TorturedStore(this.random, canary)
  }

  async run(): Promise<void> {
    const { subject } = this
    try {
      await subject.open()
      for (let fault = 0; fault < faultsPerStore && subject.found.length === 0; fault++) await this.fault()
      if (subject.found.length === 0) await subject.verify()
    } catch (cause) {
      subject.found.push(cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause))
    }
    await subject.end()
    unmountAll()
    const canary = this.canary === undefined ? '' : ` --canary ${this.canary}`
    this.report.check(
      'faults of one disk',
      subject.found,
      `bun run torture --only faults --seed ${this.seed} --count 1${canary}`,
    )
  }

  private async fault(): Promise<void> {
    const { subject } = this
    const plan = this.plan()
    subject.disk.arm(plan)
    subject.did.push(`[${plan.kind}${plan.kind === 'fail' ? ` ${plan.code} x${plan.times}` : ''} at ${plan.at}]`)
    for (let steps = this.random.between(2, 6); steps > 0 && !subject.disk.isDead; steps--) await this.step()
    subject.did.push(...subject.disk.events.splice(0).map((event) => `<${event}>`))
    if (plan.kind === 'fail') await this.heal()
    else if (subject.disk.isDead) {
      this.report.add(plan.kind === 'kill' ? 'kills in one process' : 'power losses')
      this.report.add('faults')
      const before = subject.bench.folder
      await subject.reopenImage(plan.image)
      rmSync(before, { recursive: true, force: true })
    } else subject.disk.disarm()
  }

  private plan(): Plan {
    const { random } = this
    const at = Math.ceil(operationsMax ** random.next())
    const choice = random.next()
    if (choice < 0.25) return { kind: 'kill', at, image: this.subject.freshFolder() }
    if (choice < 0.5) return { kind: 'power loss', at, image: this.subject.freshFolder() }
    const reads = random.chance(0.15)
    return {
      kind: 'fail',
      at: reads ? Math.ceil(at / 4) : at,
      times: random.chance(0.5) ? 1 : random.chance(0.5) ? random.between(2, 20) : Number.POSITIVE_INFINITY,
      code: reads ? 'EIO' : random.pick(codes),
      reads,
      ...(random.chance(0.5) && { after: random.below(2000) }),
    }
  }

  /** One step of the load. What fails must say so; the comparison shows whether it was right. */
  private async step(): Promise<void> {
    const { subject, random } = this
    const { store } = subject
    const write = (writer: number) => this.write(writer)
    const choice = random.next()
    if (choice < 0.35) {
      subject.did.push('write')
      await write(0)
    } else if (choice < 0.6) {
      subject.did.push('write during a flush')
      await Promise.all([this.quietly(store.flush({ retainIncomplete: random.chance(0.5) })), write(0), write(1)])
    } else if (choice < 0.75) {
      subject.did.push('flush')
      await this.quietly(store.flush())
    } else if (choice < 0.9) {
      subject.did.push('compact')
      await Promise.all([this.quietly(store.compact()), write(2)])
    } else if (choice < 0.95) {
      subject.did.push('reopen')
      await this.reopen()
    } else {
      subject.did.push('clock')
      // Forward by up to an hour, or back by up to a day.
      subject.bench.nowMs += random.chance(0.7) ? random.below(3_600_000) : -random.below(86_400_000)
    }
  }

  private async write(writer: number): Promise<void> {
    const { subject } = this
    const refusal = await orHang(subject.writer.write(subject.store, subject.bench.nowMs, writer), 'a write')
    this.report.add(refusal === undefined ? 'acknowledged writes' : 'refused writes')
    if (refusal !== undefined && !(refusal instanceof DomainError))
      subject.found.push(`a write was refused with ${refusal}`)
  }

  private async quietly(work: Promise<void>): Promise<void> {
    await orHang(work, 'a flush or compaction').catch((cause: unknown) => {
      if (String(cause).includes('hangs')) throw cause
    })
  }

  /** A restart while the disk may be failing: it may not succeed. */
  private async reopen(): Promise<void> {
    const { subject } = this
    const { bench } = subject
    await orHang(bench.close(), 'closing')
    if (subject.disk.hasFailed) subject.isUnsettled = true
    await orHang(bench.reopen(), 'opening').catch(async (cause: unknown) => {
      subject.did.push(`not opened: ${String(cause).slice(0, 80)}`)
      if (subject.disk.isDead) return
      if (subject.disk.disarm()) this.report.add('faults')
      await bench.reopen()
    })
  }

  /** Ends the failure. The store must go on by itself, with everything acknowledged. */
  private async heal(): Promise<void> {
    const { subject } = this
    await subject.compare('during the failure').catch((cause: unknown) => {
      // A read may fail, but not answer wrongly.
      subject.did.push(`a read failed: ${String(cause).slice(0, 80)}`)
    })
    if (subject.disk.disarm()) this.report.add('faults')
    await subject.compare('after the failure')
    const refusal = await subject.writer.write(subject.store, subject.bench.nowMs)
    if (refusal !== undefined) subject.found.push(`writes do not resume: ${refusal}`)
    for (let waited = 0; !subject.store.state().ok; waited += 100) {
      if (waited > recoveryMsMax) {
        subject.found.push(`the store does not recover: ${JSON.stringify(subject.store.state())}`)
        return
      }
      await subject.store.flush().catch(() => {})
      await Bun.sleep(100)
    }
    await subject.compare('after the recovery')
  }
}
