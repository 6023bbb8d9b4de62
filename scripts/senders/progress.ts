import cliProgress from 'cli-progress'

/** Shows how far the sending is. */
export interface Progress {
  /** `done` of the items are acknowledged; `note` says what is being waited for, if anything. */
  update(done: number, note?: string): void
  stop(): void
}

const lineEveryMs = 2_000

/** A bar on a terminal; elsewhere a line now and then, and one for every wait. */
export function showProgress(totalItems: number, terminal = process.stdout.isTTY === true): Progress {
  return terminal ? bar(totalItems) : lines(totalItems)
}

function bar(totalItems: number): Progress {
  const format = '{bar} {percentage}% | {value}/{total} starts and ends | {note}'
  const single = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic)
  single.start(totalItems, 0, { note: '' })
  return {
    update: (done, note = '') => single.update(done, { note }),
    stop: () => single.stop(),
  }
}

function lines(totalItems: number): Progress {
  let shownAtMs = Date.now()
  return {
    update: (done, note) => {
      if (note === undefined && done < totalItems && Date.now() - shownAtMs < lineEveryMs) return
      shownAtMs = Date.now()
      console.log(`${done}/${totalItems} starts and ends${note === undefined ? '' : `: ${note}`}`)
    },
    stop: () => {},
  }
}
